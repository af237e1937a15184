# GoogleTest as installed, or built from the sources of Debian's package `googletest`. A sanitizer
# must see all code, so there it is always built.
include(GoogleTest)

set(googletest_sources /usr/src/googletest CACHE PATH "Sources of GoogleTest, if it must be built")

if(NOT PROCMAP_SANITIZE)
  find_package(GTest CONFIG QUIET)
endif()
if(NOT TARGET GTest::gtest_main)
  if(NOT EXISTS ${googletest_sources}/CMakeLists.txt)
    message(FATAL_ERROR "GoogleTest not found: apt-get install libgtest-dev googletest, or set googletest_sources")
  endif()
  set(BUILD_GMOCK OFF CACHE BOOL "" FORCE)
  set(INSTALL_GTEST OFF CACHE BOOL "" FORCE)
  set(CMAKE_POLICY_VERSION_MINIMUM 3.10)
  add_subdirectory(${googletest_sources} ${CMAKE_BINARY_DIR}/googletest EXCLUDE_FROM_ALL SYSTEM)
  if(NOT TARGET GTest::gtest_main)
    add_library(GTest::gtest_main ALIAS gtest_main)
  endif()
endif()
