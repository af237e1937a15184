// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <utility>

#include "graph/csr_view.hpp"
#include "procmap/graph.hpp"

namespace procmap {

/// The arrays of a graph in the memory of a GPU; they keep what owns that memory alive.
class ResidentGraph {
 public:
  explicit ResidentGraph(DeviceId device) : device_(std::move(device)) {}
  ResidentGraph(ResidentGraph const&) = delete;
  ResidentGraph& operator=(ResidentGraph const&) = delete;
  virtual ~ResidentGraph() = default;

  DeviceId const& device() const { return device_; }
  /// For passes on that GPU. Throws DeviceError if the arrays are there no more.
  CsrView view() const {
    require_there();
    return view_;
  }
  /// A copy in host memory, made by the first to ask; any thread may. Throws DeviceError if there is none yet and the
  /// arrays are gone.
  CsrArrays const& host() const {
    std::call_once(copied_, [this] {
      require_there();
      host_ = download();
    });
    return host_;
  }

 protected:
  virtual void require_there() const = 0;
  virtual CsrArrays download() const = 0;

  CsrView view_;

 private:
  DeviceId device_;
  mutable std::once_flag copied_;
  mutable CsrArrays host_;
};

}  // namespace procmap
