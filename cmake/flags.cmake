# procmap_flags: how every target of this project is compiled, the tests included, because phases
# are templates and a test must decide as the library does.
add_library(procmap_flags INTERFACE)

# A fused multiply-add rounds once where a product and a sum round twice: a decision taken with it
# could differ between processors. No -march=native and no -ffast-math for the same reason.
target_compile_options(procmap_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)

# Not -Wsign-conversion: with signed ids and standard containers it is only noise.
target_compile_options(
  procmap_flags
  INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall>
    $<$<COMPILE_LANGUAGE:CXX>:-Wextra>
    $<$<COMPILE_LANGUAGE:CXX>:-Wconversion>
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-sign-conversion>
    $<$<COMPILE_LANGUAGE:CXX>:-Wshadow>
)
# g++ 12 warns of overlap in "text" + std::string, wrongly (GCC bug 105651), and with precompiled headers of overflow too.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(procmap_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
  if(PROCMAP_PCH)
    target_compile_options(
      procmap_flags
      INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow> $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds>
    )
  endif()
endif()
if(PROCMAP_WERROR)
  target_compile_options(procmap_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()

if(PROCMAP_SANITIZE)
  list(JOIN PROCMAP_SANITIZE "," sanitizers)
  # For the whole build, GoogleTest included: mixed code makes the sanitizers report nonsense.
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
  if("undefined" IN_LIST PROCMAP_SANITIZE)
    # Half of the time to compile, for what AddressSanitizer finds too (null) or x86 does not mind (alignment).
    add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
  endif()
endif()

if(PROCMAP_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "libFuzzer needs clang: apt-get install clang libomp-dev, and cmake --preset fuzz")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link) # for the library too: its coverage guides the fuzzer
endif()

if("thread" IN_LIST PROCMAP_SANITIZE)
  # ThreadSanitizer cannot see how g++'s libgomp synchronises. LLVM's libomp runs the same code and
  # tells it, through its tool Archer (tests/README.md).
  file(GLOB llvm_folders /usr/lib/llvm-*/lib)
  find_library(procmap_libomp NAMES omp HINTS ${llvm_folders})
  find_library(procmap_archer NAMES archer HINTS ${llvm_folders})
  if(NOT procmap_libomp OR NOT procmap_archer)
    message(FATAL_ERROR "ThreadSanitizer needs LLVM's libomp with Archer: apt-get install libomp-dev")
  endif()
  target_compile_options(procmap_flags INTERFACE -fopenmp)
  # Nothing calls Archer by name: libomp looks for it among the libraries of the program.
  target_link_libraries(procmap_flags INTERFACE -Wl,--no-as-needed ${procmap_libomp} ${procmap_archer})
else()
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  target_link_libraries(procmap_flags INTERFACE OpenMP::OpenMP_CXX)
endif()
