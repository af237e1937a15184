# cmake --install: component "library" is what programs are built with and run with, in a wheel too; "static" is the
# static library, which wheels have not.
set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/procmap)

install(
  TARGETS procmap_shared procmap_fortran ${procmap_metis_libraries}
  EXPORT procmapTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
  ${namelink}
)
install(EXPORT procmapTargets NAMESPACE procmap:: DESTINATION ${cmake_dir} COMPONENT library)

set_target_properties(procmap_core PROPERTIES EXPORT_NAME procmap_static)
target_include_directories(procmap_core PUBLIC $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(procmap_core PRIVATE $<INSTALL_INTERFACE:Threads::Threads>)
install(TARGETS procmap_core EXPORT procmapStaticTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT static)
install(EXPORT procmapStaticTargets NAMESPACE procmap:: DESTINATION ${cmake_dir} COMPONENT static)

install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/cpp/include/procmap
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT library
  FILES_MATCHING
  PATTERN *.h
  PATTERN *.hpp
  PATTERN *.def
)
install(
  FILES ${CMAKE_CURRENT_SOURCE_DIR}/fortran/procmap.f90
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/procmap
  COMPONENT library
)

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/procmapConfig.cmake.in
  procmapConfig.cmake
  INSTALL_DESTINATION ${cmake_dir}
)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
else()
  set(compatibility SameMajorVersion)
endif()
write_basic_package_version_file(procmapConfigVersion.cmake COMPATIBILITY ${compatibility})
install(
  FILES ${CMAKE_CURRENT_BINARY_DIR}/procmapConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/procmapConfigVersion.cmake
  DESTINATION ${cmake_dir}
  COMPONENT library
)

# From lib/pkgconfig, or lib/x86_64-linux-gnu/pkgconfig, back to the prefix: an installed tree may be moved.
string(REGEX REPLACE "[^/]+" ".." procmap_pc_up ${CMAKE_INSTALL_LIBDIR})
set(procmap_pc_prefix "\${pcfiledir}/../${procmap_pc_up}")
set(procmap_pc_private "-lstdc++ -lm -pthread")
configure_file(${PROJECT_SOURCE_DIR}/cmake/procmap.pc.in procmap.pc @ONLY)
set(pc_files ${CMAKE_CURRENT_BINARY_DIR}/procmap.pc)
foreach(library IN LISTS procmap_metis_libraries)
  get_target_property(name ${library} EXPORT_NAME)
  get_target_property(idx_width ${library} PROCMAP_IDX_WIDTH)
  get_target_property(real_width ${library} PROCMAP_REAL_WIDTH)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/procmap-metis.pc.in procmap-${name}.pc @ONLY)
  list(APPEND pc_files ${CMAKE_CURRENT_BINARY_DIR}/procmap-${name}.pc)
endforeach()
install(FILES ${pc_files} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
