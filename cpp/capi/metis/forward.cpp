// SPDX-License-Identifier: MIT
//
// What procmap does not compute is left to METIS itself, if there is one: loaded after this library (LD_PRELOAD), named
// by PROCMAP_METIS_ORIGINAL, or installed where the loader or Linux distributions look.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "metis/call.hpp"

namespace procmap_metis {
namespace {

using SetDefaultOptions = int (*)(idx_t*);

/// Whether the library that `original` comes from has idx_t of our width: it fills METIS_NOPTIONS of them. Another one
/// would read and write past the arrays of the caller.
bool has_our_width(SetDefaultOptions original) {
  constexpr std::size_t widest = METIS_NOPTIONS * sizeof(std::int64_t);
  constexpr unsigned char untouched = 0x55;
  alignas(std::int64_t) std::array<unsigned char, widest> bytes;
  bytes.fill(untouched);
  original(reinterpret_cast<idx_t*>(bytes.data()));
  auto const written = static_cast<std::size_t>(std::ranges::find(bytes, untouched) - bytes.begin());
  return written == METIS_NOPTIONS * sizeof(idx_t);
}

class Original {
 public:
  /// Looked for at the first use.
  static Original const& instance() {
    static Original const original;
    return original;
  }

  void* function(char const* name) const {
    auto* const found = handle_ ? dlsym(handle_, name) : nullptr;
    if (found == nullptr) throw Failure(METIS_ERROR, std::string(name) + " is METIS's own, and " + why_);
    return found;
  }

 private:
  Original() {
    char const* const named = std::getenv("PROCMAP_METIS_ORIGINAL");
    if (named && *named) {
      look_into(named);
      return;
    }
    // METIS has no second name for its width; Debian's 32 bits, and the suffixes that others use for 64.
    for (char const* const name : {"libmetis.so.5", "libmetis.so", "/usr/lib/x86_64-linux-gnu/libmetis.so.5",
                                   "/usr/lib/aarch64-linux-gnu/libmetis.so.5", "/usr/lib64/libmetis.so.5",
                                   "/usr/lib64/libmetis.so.0", "/usr/lib/libmetis.so.5", "/usr/lib/libmetis.so"})
      if (handle_ == nullptr) look_into(name);
  }

  void look_into(char const* name) {
    // Deep binding: what METIS calls of itself must not lead to this library, which has the same names.
    auto* const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (handle == nullptr) return;
    auto* const set_options = reinterpret_cast<SetDefaultOptions>(dlsym(handle, "METIS_SetDefaultOptions"));
    bool const is_this = dlsym(handle, "procmap_metis_message") != nullptr;
    if (set_options && !is_this && has_our_width(set_options)) {
      handle_ = handle;
      why_ = "is not in the METIS that was found";
      return;
    }
    if (set_options && !is_this) why_ = "the METIS that was found has idx_t of another width";
    dlclose(handle);
  }

  void* handle_ = nullptr;
  std::string why_ = "no libmetis.so was found; PROCMAP_METIS_ORIGINAL can name one";
};

/// Calls the original's function of that name.
template <class Function, class... Arguments>
int forward(char const* name, Function* /*ours*/, Arguments... arguments) noexcept {
  int code = METIS_ERROR;
  int const found = guarded(name, [&](Record&) {
    auto* const original = reinterpret_cast<Function*>(Original::instance().function(name));
    code = original(arguments...);
  });
  return found == METIS_OK ? code : found;
}

}  // namespace
}  // namespace procmap_metis

using procmap_metis::forward;

int METIS_NodeND(idx_t* nvtxs, idx_t* xadj, idx_t* adjncy, idx_t* vwgt, idx_t* options, idx_t* perm, idx_t* iperm) {
  return forward("METIS_NodeND", &METIS_NodeND, nvtxs, xadj, adjncy, vwgt, options, perm, iperm);
}

int METIS_NodeNDP(idx_t nvtxs, idx_t* xadj, idx_t* adjncy, idx_t* vwgt, idx_t npes, idx_t* options, idx_t* perm,
                  idx_t* iperm, idx_t* sizes) {
  return forward("METIS_NodeNDP", &METIS_NodeNDP, nvtxs, xadj, adjncy, vwgt, npes, options, perm, iperm, sizes);
}

int METIS_ComputeVertexSeparator(idx_t* nvtxs, idx_t* xadj, idx_t* adjncy, idx_t* vwgt, idx_t* options, idx_t* sepsize,
                                 idx_t* part) {
  return forward("METIS_ComputeVertexSeparator", &METIS_ComputeVertexSeparator, nvtxs, xadj, adjncy, vwgt, options,
                 sepsize, part);
}
