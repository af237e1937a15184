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
)
set(shadow -Wshadow)
if(PROCMAP_BUILD_ONCE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(shadow -Wshadow=local) # sources that are compiled together shadow names of each other
endif()
target_compile_options(procmap_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${shadow}>)
# g++ 12 warns of overlap in "text" + std::string, wrongly (GCC bug 105651), and with precompiled headers of overflow too.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(procmap_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
  if(PROCMAP_BUILD_ONCE)
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
    # More than half of the time to compile, for what AddressSanitizer finds too (null, pointer-overflow) or x86 does not
    # mind (alignment).
    add_compile_options(-fno-sanitize=null,alignment,object-size,pointer-overflow,vptr)
  endif()
endif()

if(PROCMAP_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "libFuzzer needs clang: apt-get install clang, and cmake --preset fuzz")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link) # for the library too: its coverage guides the fuzzer
endif()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
target_link_libraries(procmap_flags INTERFACE Threads::Threads)
