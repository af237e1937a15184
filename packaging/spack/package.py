# SPDX-License-Identifier: MIT
"""Spack's recipe: the library, and the Python package with +python."""

from spack.package import *  # noqa: F403 - as all recipes of Spack


class Procmap(CMakePackage, PythonExtension):  # noqa: F405
    """Map the tasks of a parallel program onto the processing elements of a machine."""

    pypi = "procmap/procmap-0.1.0.tar.gz"

    license("MIT", checked_by="procmap")
    version("0.1.0")  # noqa: F405 - without a sum until there is a release: packaging/set_release.py

    variant("cuda", default=False, description="Build the CUDA backend")  # noqa: F405
    variant("python", default=False, description="Build the Python module")  # noqa: F405

    depends_on("c", type="build")  # noqa: F405
    depends_on("cxx", type="build")  # noqa: F405
    depends_on("cmake@3.25:", type="build")  # noqa: F405
    depends_on("cuda@12:", when="+cuda")  # noqa: F405
    with when("+python"):  # noqa: F405
        extends("python@3.10:")  # noqa: F405
        depends_on("py-pybind11@3:", type="build")  # noqa: F405
        depends_on("py-numpy@1.26:", type=("build", "run"))  # noqa: F405

    conflicts("%gcc@:11", msg="procmap is C++20: GCC 12 or newer")  # noqa: F405

    def cmake_args(self):
        """Return what CMake is told."""
        return [
            self.define("PROCMAP_TESTS", False),
            self.define("PROCMAP_CUDA", "ON" if self.spec.satisfies("+cuda") else "OFF"),
            self.define_from_variant("PROCMAP_PYTHON", "python"),
        ]
