// SPDX-License-Identifier: MIT
#include "c_api/handles.hpp"

namespace {

/// The second and further weights have figures of their own; null for the first, and if there is no such weight.
procmap::WeightReport const* further(procmap_report const* report, int weight) {
  bool const there = report && weight >= 1 && weight <= static_cast<int>(report->report.further.size());
  return there ? &report->report.further[static_cast<std::size_t>(weight) - 1] : nullptr;
}

}  // namespace

void procmap_report_free(procmap_report* report) { delete report; }

int64_t procmap_report_cost(procmap_report const* report) { return report ? report->report.cost : 0; }

int64_t procmap_report_edge_cut(procmap_report const* report) { return report ? report->report.edge_cut : 0; }

int64_t procmap_report_max_block_weight(procmap_report const* report) {
  return report ? report->report.max_block_weight : 0;
}

int64_t procmap_report_capacity(procmap_report const* report) { return report ? report->report.capacity : 0; }

double procmap_report_imbalance(procmap_report const* report) { return report ? report->report.imbalance : 0; }

int procmap_report_feasible(procmap_report const* report) { return report && report->report.feasible ? 1 : 0; }

int32_t procmap_report_num_blocks(procmap_report const* report) {
  return report ? static_cast<int32_t>(report->report.block_weights.size()) : 0;
}

int64_t const* procmap_report_block_weights(procmap_report const* report) {
  return report ? report->report.block_weights.data() : nullptr;
}

double procmap_report_seconds(procmap_report const* report) { return report ? report->seconds : 0; }

char const* procmap_report_device(procmap_report const* report) { return report ? report->device.c_str() : ""; }

int procmap_report_num_weights(procmap_report const* report) {
  return report ? static_cast<int>(report->report.further.size()) + 1 : 0;
}

int64_t procmap_report_max_block_weight_of(procmap_report const* report, int weight) {
  if (weight == 0) return procmap_report_max_block_weight(report);
  auto const* const figures = further(report, weight);
  return figures ? figures->max_block_weight : 0;
}

int64_t procmap_report_capacity_of(procmap_report const* report, int weight) {
  if (weight == 0) return procmap_report_capacity(report);
  auto const* const figures = further(report, weight);
  return figures ? figures->capacity : 0;
}

double procmap_report_imbalance_of(procmap_report const* report, int weight) {
  if (weight == 0) return procmap_report_imbalance(report);
  auto const* const figures = further(report, weight);
  return figures ? figures->imbalance : 0;
}

int64_t const* procmap_report_block_weights_of(procmap_report const* report, int weight) {
  if (weight == 0) return procmap_report_block_weights(report);
  auto const* const figures = further(report, weight);
  return figures ? figures->block_weights.data() : nullptr;
}
