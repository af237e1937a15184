# procmap_find_pypi_nvcc(result): the nvcc of the packages nvidia-cuda-nvcc, -crt, -runtime, -cccl, nvidia-nvtx and
# nvidia-nvvm, as pip installs them for the Python that CMake finds. They are one toolkit in .../nvidia/cuXX.
# pyproject.toml lists them: PROCMAP_CUDA=PYPI pip install .
function(procmap_find_pypi_nvcc result)
  set(PYBIND11_FINDPYTHON ON)
  find_package(Python 3.10 REQUIRED COMPONENTS Interpreter)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -c "import nvidia; print(*nvidia.__path__, sep=';')"
    OUTPUT_VARIABLE folders
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET
  )
  list(TRANSFORM folders APPEND "/cu[0-9]*/bin/nvcc")
  file(GLOB found ${folders})
  if(NOT found)
    message(
      FATAL_ERROR
      "PROCMAP_CUDA=PYPI, but there is no nvidia-cuda-nvcc for ${Python_EXECUTABLE}; \
install what build.requires in pyproject.toml lists"
    )
  endif()
  list(GET found 0 nvcc)
  set(${result} ${nvcc} PARENT_SCOPE)
endfunction()
