/* SPDX-License-Identifier: MIT */
#ifndef PROCMAP_EXPORT_H
#define PROCMAP_EXPORT_H

/* What libprocmap.so shows to programs. Everything else is compiled with -fvisibility=hidden. */
#if defined(__GNUC__) || defined(__clang__)
#define PROCMAP_API __attribute__((visibility("default")))
#else
#define PROCMAP_API
#endif

#endif
