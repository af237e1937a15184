// SPDX-License-Identifier: MIT
#include "c_api/handles.hpp"

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
