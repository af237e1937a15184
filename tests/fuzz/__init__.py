# SPDX-License-Identifier: MIT
"""Malformed and extreme inputs at random, each with an independent opinion on what is right.

A target is a function of a random number generator that makes one input, gives it to procmap and
checks the outcome: an error of the documented kind exactly if the input is malformed, and else a
result that is what it claims to be. `run.py` runs them in processes of their own, so that a crash
or a hang is a finding too.
"""

from fuzz import (
    arrays,
    command_line,
    descriptions,
    graph_files,
    launch_files,
    machines,
    metis,
    readers,
    sources,
    sparse,
    written,
)

TARGETS = {
    "arrays": arrays.rows_are_mapped_or_refused,
    "options": arrays.options_are_obeyed_or_refused,
    "blocks": arrays.blocks_are_evaluated_or_refused,
    "metis": metis.file_is_read_or_refused,
    "machines": machines.text_is_a_machine_or_refused,
    "levels": machines.levels_are_a_machine_or_refused,
    "graph files": graph_files.file_is_read_or_refused,
    "machine files": descriptions.machine_is_read_or_refused,
    "traffic files": descriptions.traffic_is_read_or_refused,
    "directed": sparse.directed_traffic_is_symmetrized,
    "ranks": sparse.ranks_get_pes_of_their_own,
    "packed files": sources.way_does_not_matter,
    "damaged packing": sources.packed_damage_is_refused_or_harmless,
    "distances": sources.distances_keep_their_ratios,
    "cpusets": sources.cpusets_are_words,
    "graphs written": written.graph_is_read_back,
    "config files": written.config_is_read_back,
    "mapping files": launch_files.mapping_files_say_where_tasks_are,
    "traffic read": readers.traffic_is_what_was_written,
    "machines read": readers.machine_is_what_was_written,
    "parhip read": readers.parhip_is_what_was_written,
    "command line": command_line.command_does_what_its_exit_code_says,
    "fractions": sparse.fractions_are_scaled,
}
