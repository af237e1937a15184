// SPDX-License-Identifier: MIT
#include "exec/thread_team.hpp"

#include <gtest/gtest.h>
#include <omp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <thread>

namespace procmap::test {
namespace {

/// How many threads a team has that was prepared to have `wanted`.
int threads_of_a_team(int wanted) {
  int const prepared = prepare_team(wanted);
  int threads = 0;
#pragma omp parallel num_threads(prepared) reduction(+ : threads)
  threads += 1;
  return threads;
}

/// What f returns in a child process; -1 if the child did not end in 20 seconds or did not end well.
template <class F>
int in_child(F f) {
  auto const child = ::fork();
  if (child == 0) {
    ::alarm(20);
    ::_exit(f());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ThreadTeam, HasTheThreadsThatWereAskedFor) {
  for (int const wanted : {1, 2, 5, 3, 1, 5}) EXPECT_EQ(threads_of_a_team(wanted), wanted);
}

TEST(ThreadTeam, WorksInAChildAndInAChildOfAChild) {
  ASSERT_EQ(threads_of_a_team(3), 3);

  int const in_both = in_child([] {
    int const first = threads_of_a_team(3);
    return 10 * first + in_child([] { return threads_of_a_team(2); });
  });

  EXPECT_EQ(in_both, 32);
  EXPECT_EQ(threads_of_a_team(3), 3) << "the parent goes on";
}

TEST(ThreadTeam, WorksInAChildThoughAnotherLibraryMadeTheTeam) {
  int threads = 0;
#pragma omp parallel num_threads(4) reduction(+ : threads)
  threads += 1;
  ASSERT_EQ(threads, 4);

  EXPECT_EQ(in_child([] { return threads_of_a_team(2); }), 2);
}

TEST(ThreadTeam, WorksInAChildThatAnotherThreadMade) {
  ASSERT_EQ(threads_of_a_team(3), 3);
  int in_its_child = 0;

  std::thread other([&] { in_its_child = in_child([] { return threads_of_a_team(3); }); });
  other.join();

  EXPECT_EQ(in_its_child, 3);
}

TEST(ThreadTeam, WorksInAChildMadeInsideOfATeam) {
  int in_its_child = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  in_its_child = in_child([] { return threads_of_a_team(2); });

  EXPECT_EQ(in_its_child, 1) << "a team within a team has one thread";
}

/// As threads_of_a_team; 1, the calling one, where not even a team of one has memory and that is said by an exception.
int threads_where_memory_is_short(int wanted) {
  try {
    return threads_of_a_team(wanted);
  } catch (std::bad_alloc const&) {
    return 1;
  }
}

TEST(ThreadTeam, HasFewerThreadsWhereMemoryIsShort) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need more addresses than any limit leaves";
#endif
  constexpr rlim_t megabyte = 1 << 20;
  for (rlim_t const megabytes : {0, 1, 8, 20, 60, 150}) {
    int const threads = in_child([megabytes] {
      rlimit const limit{megabytes * megabyte, megabytes * megabyte};  // below what is used: no more at all
      ::setrlimit(RLIMIT_AS, &limit);
      return threads_where_memory_is_short(64);
    });

    EXPECT_GE(threads, 1) << megabytes;
    EXPECT_LT(threads, 64) << megabytes;
  }
}

TEST(ThreadTeam, IsRefusedWhereNoMemoryIsLeft) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need more addresses than any limit leaves";
#endif
  for (int const wanted : {1, 2, 64}) {
    int const refused = in_child([wanted] {
      rlimit const limit{0, 0};
      ::setrlimit(RLIMIT_AS, &limit);
      void const* volatile taken = nullptr;  // or the compiler leaves it out
      for (std::size_t size = 1 << 20; size > 0; size /= 2) do
          taken = std::malloc(size);
        while (taken);
      try {
        return threads_of_a_team(wanted) - wanted;
      } catch (std::bad_alloc const&) {
        return 77;
      }
    });

    EXPECT_EQ(refused, 77) << wanted;
  }
}

TEST(ThreadTeam, HasFewerThreadsWhereTheUserMayHaveNoMore) {
  if (::getuid() != 0) GTEST_SKIP() << "only root can become a user without other processes";
  for (rlim_t const limit : {1, 2, 6}) {
    int const threads = in_child([limit] {
      rlimit const processes{limit, limit};
      if (::setgid(54321) != 0 || ::setuid(54321) != 0 || ::setrlimit(RLIMIT_NPROC, &processes) != 0) return 0;
      return threads_of_a_team(16);
    });

    EXPECT_GE(threads, 1) << limit;
    EXPECT_LE(threads, static_cast<int>(limit));
  }
}

}  // namespace
}  // namespace procmap::test
