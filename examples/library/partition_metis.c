/* SPDX-License-Identifier: MIT */
/* A ring of eight vertices in two parts, by METIS's interface. */
#include <metis.h>
#include <stdio.h>

int main(void) {
  idx_t n = 8, ncon = 1, parts = 2, cut = 0, xadj[9], adjncy[16], part[8];
  for (idx_t i = 0; i < 8; ++i) xadj[i] = 2 * i, adjncy[2 * i] = (i + 7) % 8, adjncy[2 * i + 1] = (i + 1) % 8;
  xadj[8] = 16;
  if (METIS_PartGraphKway(&n, &ncon, xadj, adjncy, NULL, NULL, NULL, &parts, NULL, NULL, NULL, &cut, part) != METIS_OK)
    return fprintf(stderr, "%s\n", procmap_metis_message()), 1;
  printf("edge cut %lld\n", (long long)cut);
  return 0;
}
