// SPDX-License-Identifier: MIT
#include "exec/work_pool.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <new>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/shared_work.hpp"
#include "support/message.hpp"

namespace procmap::test {
namespace {

using std::chrono::milliseconds;

Edge sum_by(WorkPool& pool, Edge n, SharedLoop loop) {
  std::atomic<Edge> sum = 0;
  loop.n = n;
  pool.share(loop, [&](Edge begin, Edge end) {
    for (Edge i = begin; i < end; ++i) sum += i;
  });
  return sum;
}

TEST(WorkPoolThreads, TakeEveryItemOnce) {
  for (int const threads : {1, 2, 3, 8}) {
    WorkPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (Edge const n : {0, 1, 2, 7, 1000})
      for (Edge const grain : {1, 3, 5000})
        for (int round = 0; round < 20; ++round)
          ASSERT_EQ(sum_by(pool, n, {.grain = grain, .wakes = round % 2 == 0}), n * (n - 1) / 2) << n << ' ' << grain;
  }
}

TEST(WorkPoolThreads, TakeEveryItemOfALocalLoopOnce) {
  for (int const threads : {2, 3, 40}) {  // 40: some share a part
    WorkPool pool(threads);
    for (Edge const n : {2, 7, 33, 1000})
      for (Edge const grain : {1, 3, 100})
        for (int round = 0; round < 20; ++round) {
          std::vector<std::atomic<int>> taken(static_cast<std::size_t>(n));
          pool.share({.n = n, .grain = grain, .wakes = true, .is_local = true}, [&](Edge begin, Edge end) {
            ASSERT_LE(end, n);
            for (; begin < end; ++begin) ++taken[static_cast<std::size_t>(begin)];
          });
          for (auto const& times : taken) ASSERT_EQ(times, 1) << threads << ' ' << n << ' ' << grain;
        }
  }
}

TEST(WorkPoolThreads, BeginWithTheirPartOfALocalLoop) {
  constexpr int threads = 4;
  constexpr Edge n = 400;
  WorkPool pool(threads);
  std::atomic<int> arrived = 0;
  std::atomic<Edge> first[threads];
  for (auto& chunk : first) chunk = -1;

  pool.share({.n = n, .wakes = true, .is_local = true}, [&](Edge begin, Edge) {
    auto& mine = first[pool.self()];
    if (mine >= 0) return;
    mine = begin;
    ++arrived;
    for (int i = 0; i < 2000 && arrived < threads; ++i) std::this_thread::sleep_for(milliseconds(1));
  });

  for (int t = 0; t < threads; ++t) EXPECT_EQ(first[t], t * n / threads);
}

TEST(WorkPoolThreads, HaveNumbersOfTheirOwn) {
  WorkPool pool(3);
  std::atomic<int> inside[3] = {};
  std::atomic<bool> alone = true;

  pool.share({.n = 300, .wakes = true}, [&](Edge, Edge) {
    if (inside[pool.self()]++ != 0) alone = false;
    std::this_thread::yield();
    --inside[pool.self()];
  });

  EXPECT_TRUE(alone);
  EXPECT_EQ(pool.self(), 0);
}

TEST(WorkPoolThreads, ComeToAJobThatIsLong) {
  WorkPool pool(2);
  std::atomic<int> together = 0;

  pool.share({.n = 2, .wakes = true, .is_short = false}, [&](Edge, Edge) {
    ++together;
    for (int i = 0; i < 2000 && together < 2; ++i) std::this_thread::sleep_for(milliseconds(1));
  });

  EXPECT_EQ(together, 2) << "each of the two jobs waits for the other";
}

TEST(WorkPoolThreads, ComeToALoopThatTurnsOutToBeLong) {
  for (int const threads : {2, 5}) {
    WorkPool pool(threads);
    std::this_thread::sleep_for(milliseconds(20));  // by then the others sleep
    std::atomic<int> together = 0;

    pool.share({.n = threads + 1}, [&](Edge begin, Edge) {
      if (begin == 0) return std::this_thread::sleep_for(milliseconds(5));
      ++together;
      for (int i = 0; i < 2000 && together < threads; ++i) std::this_thread::sleep_for(milliseconds(1));
    });

    EXPECT_EQ(together, threads) << "each waits for all others";
  }
}

/// Whether work is shared, at the chunk that sees it least.
bool is_shared_in(WorkPool& pool, SharedLoop loop) {
  std::atomic<bool> shared = true;
  pool.share(loop, [&](Edge, Edge) {
    if (!SharedWork::exists()) shared = false;
  });
  return shared;
}

TEST(WorkPoolThreads, SayWhileTheyMayMeet) {
  WorkPool many(3), one(1);
  EXPECT_FALSE(SharedWork::exists());

  EXPECT_TRUE(is_shared_in(many, {.n = 100}));
  EXPECT_FALSE(is_shared_in(many, {.n = 100, .grain = 100})) << "a loop of one chunk is its thread's own";
  EXPECT_FALSE(is_shared_in(one, {.n = 100}));
  many.share({.n = 4, .wakes = true}, [&](Edge, Edge) { EXPECT_TRUE(is_shared_in(one, {.n = 100})) << "others work"; });
  EXPECT_THROW(many.share({.n = 100}, [](Edge, Edge) { throw std::runtime_error("a chunk"); }), std::runtime_error);

  EXPECT_FALSE(SharedWork::exists());
}

TEST(WorkPoolThreads, HelpWithLoopsInsideOfLoops) {
  WorkPool pool(4);
  std::atomic<Edge> sum = 0;

  for (int round = 0; round < 20; ++round)
    pool.share({.n = 5, .wakes = true, .is_short = false}, [&](Edge, Edge) {
      pool.share({.n = 10, .wakes = true}, [&](Edge begin, Edge end) {
        pool.share({.n = 10, .grain = 2}, [&](Edge a, Edge b) { sum += (end - begin) * (b - a); });
      });
    });

  EXPECT_EQ(sum, 20 * 5 * 10 * 10);
}

TEST(WorkPoolThreads, GoDeeperThanThereIsRoomFor) {
  WorkPool pool(2);
  std::atomic<int> leaves = 0;
  auto const descend = [&](auto const& self, int depth) -> void {
    pool.share({.n = 2}, [&](Edge begin, Edge end) {
      for (Edge i = begin; i < end; ++i)
        if (depth == 0)
          ++leaves;
        else
          self(self, depth - 1);
    });
  };

  descend(descend, 9);

  EXPECT_EQ(leaves, 1 << 10);
}

TEST(WorkPoolThreads, PassOnWhatAChunkThrows) {
  for (int const threads : {1, 2, 4}) {
    WorkPool pool(threads);
    for (int round = 0; round < 50; ++round) {
      auto const message = message_of<std::runtime_error>([&] {
        pool.share({.n = 100, .wakes = true}, [](Edge begin, Edge) {
          if (begin % 10 == 0) throw std::runtime_error("chunk " + std::to_string(begin));
        });
      });
      ASSERT_EQ(message.substr(0, 6), "chunk ");
    }
    EXPECT_EQ(sum_by(pool, 100, {}), 4950) << "the pool is as before";
  }
}

TEST(WorkPoolThreads, AskTheirCallerWhileTheyWait) {
  WorkPool pool(2);
  std::atomic<bool> stop = false;
  std::atomic<int> begun = 0;
  auto const ask = [](void* context) {
    *static_cast<std::atomic<bool>*>(context) = true;
    throw std::runtime_error("stop");
  };
  auto const caller = std::this_thread::get_id();

  auto const message = message_of<std::runtime_error>([&] {
    pool.share(
        {.n = 2, .wakes = true, .is_short = false},
        [&](Edge, Edge) {
          ++begun;
          for (int i = 0; i < 2000 && begun < 2; ++i) std::this_thread::sleep_for(milliseconds(1));
          if (std::this_thread::get_id() == caller) return;
          for (int i = 0; i < 5000 && !stop; ++i) std::this_thread::sleep_for(milliseconds(1));
        },
        ask, &stop);
  });

  EXPECT_EQ(message, "stop");
}

TEST(WorkPoolThreads, ServePoolsInsideOfPools) {
  WorkPool outer(3);
  std::atomic<Edge> sum = 0;

  outer.share({.n = 6, .wakes = true, .is_short = false}, [&](Edge, Edge) {
    WorkPool inner(2);
    sum += sum_by(inner, 100, {.wakes = true});
  });

  EXPECT_EQ(sum, 6 * 4950);
}

TEST(WorkPoolThreads, AreNotMissedByAChildProcess) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer lets no child start threads";
#endif
  WorkPool pool(3);
  ASSERT_EQ(sum_by(pool, 100, {.wakes = true}), 4950);

  auto const child = ::fork();
  if (child == 0) {
    ::alarm(20);
    WorkPool own(3);
    ::_exit(sum_by(own, 100, {.wakes = true}) == 4950 ? own.size() : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);

  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
}

TEST(WorkPoolThreads, EndAlsoWhenTheyAreAboutToSleep) {
  // They look for some 20 us before they sleep. Whoever misses the end keeps the pool waiting for ever.
  constexpr auto longest = std::chrono::microseconds(60);
  for (int i = 0; i < 3000; ++i) {
    WorkPool const pool(2 + i % 3);
    auto const end = std::chrono::steady_clock::now() + i * 37 % longest.count() * std::chrono::microseconds(1);
    while (std::chrono::steady_clock::now() < end) {
    }
  }
}

TEST(WorkPoolThreads, AreFewerWhereMemoryIsShort) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need more addresses than any limit leaves";
#endif
  for (rlim_t const megabytes : {0, 1, 8, 20, 60, 150}) {
    auto const child = ::fork();
    if (child == 0) {
      ::alarm(20);
      rlimit const limit{megabytes << 20, megabytes << 20};  // below what is used: no more at all
      ::setrlimit(RLIMIT_AS, &limit);
      try {
        WorkPool pool(64);
        ::_exit(sum_by(pool, 100, {.wakes = true}) == 4950 ? pool.size() : 0);
      } catch (std::bad_alloc const&) {
        ::_exit(1);
      }
    }
    int status = 0;
    ::waitpid(child, &status, 0);

    EXPECT_TRUE(WIFEXITED(status)) << megabytes;
    EXPECT_GE(WEXITSTATUS(status), 1) << megabytes;
    EXPECT_LT(WEXITSTATUS(status), 64) << megabytes;
  }
}

}  // namespace
}  // namespace procmap::test
