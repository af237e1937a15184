// SPDX-License-Identifier: MIT
// OpenFOAM's method "metis", by METIS's interface. Debian's OpenFOAM has a stub in its place, which says that it is
// one; preloaded, this function takes the stub's place in decomposePar.
//
// Debian has no headers of OpenFOAM: what is declared here is as much of OpenFOAM 1912 as the function touches.
#include <metis.h>

#include <vector>

namespace Foam {

template <class T>
struct List {
  int size;
  T* values;
  void doResize(int size);  // libOpenFOAM's
};

struct metisDecomp {  // without virtual functions, or this library had a table of them and it would be taken, too
  int decomposeSerial(List<int> const& heads, List<int> const& offsets, List<double> const& weights,
                      List<int>& decomposition) const;
  void const *virtual_functions, *dictionary, *region;
  int num_domains;
};

int metisDecomp::decomposeSerial(List<int> const& heads, List<int> const& offsets, List<double> const& weights,
                                 List<int>& decomposition) const {
  idx_t n = offsets.size - 1, constraints = 1, parts = num_domains, cut = 0;
  std::vector<idx_t> weight(weights.values, weights.values + weights.size);
  decomposition.doResize(n);
  int const code =
      METIS_PartGraphKway(&n, &constraints, offsets.values, heads.values, weight.empty() ? nullptr : weight.data(),
                          nullptr, nullptr, &parts, nullptr, nullptr, nullptr, &cut, decomposition.values);
  if (code != METIS_OK) throw code;  // which ends the program
  return cut;
}

}  // namespace Foam
