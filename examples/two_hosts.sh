#!/bin/bash
# SPDX-License-Identifier: MIT
# Starts an MPI program on two hosts that this machine plays:
#
#     two_hosts.sh [-m openmpi|mpich] [-r RATE] -n RANKS PROGRAM [ARGUMENT...]
#
# Each has a name and a network of its own (Linux namespaces), so that MPI takes them for two hosts: ranks of one share
# memory, those of different ones talk by TCP over a virtual Ethernet of 250 Mbit/s each way, or RATE (see tc-tbf): slow,
# for two processors are to play eight ranks and shall wait for the wire. Ranks are dealt out to the hosts in turn. What is
# simulated is the wire; libraries, copies and waiting are real. Needs ip, tc, and to be root or a system on which users
# may make namespaces.
set -euo pipefail
here=$(realpath "${BASH_SOURCE[0]}")

# MPI calls this instead of ssh: [OPTION...] HOST COMMAND...
if [[ -n ${TWO_HOSTS:-} ]]; then
  while [[ $1 == -* ]]; do shift; done
  read -r holder <"$TWO_HOSTS/$1"
  shift
  exec nsenter --target "$holder" --net --uts --mount --preserve-credentials bash -c "$*"
fi

mpi=openmpi rate=250mbit ranks=8
while getopts m:r:n: option; do
  case $option in
    m) mpi=$OPTARG ;; r) rate=$OPTARG ;; n) ranks=$OPTARG ;;
    *) exit 2 ;;
  esac
done

if [[ -z ${TWO_HOSTS_INSIDE:-} ]]; then # in namespaces of our own nothing needs to be tidied up
  root=$([[ $EUID == 0 ]] || echo --map-root-user)
  TWO_HOSTS_INSIDE=1 exec unshare ${root:+"$root"} --net --uts --pid --fork --kill-child --mount-proc "$here" "$@"
fi
shift $((OPTIND - 1))

TWO_HOSTS=$(mktemp -d)
export TWO_HOSTS
trap 'rm -rf "$TWO_HOSTS"' EXIT
hostname launcher
ip link set lo up
ip link add switch type bridge
ip address add 10.77.0.254/24 dev switch
ip link set switch up
for i in 0 1; do
  unshare --net --uts --mount bash -c 'mount -t sysfs none /sys && exec sleep infinity' & # lists networks
  holder=$!
  until [[ $(readlink "/proc/$holder/ns/net") != "$(readlink /proc/$$/ns/net)" ]]; do sleep 0.01; done
  ip link add "port$i" type veth peer name wire netns "$holder"
  ip link set "port$i" master switch up
  nsenter --target $holder --net --uts bash -euc "
    hostname host$i
    ip link set lo up
    ip address add 10.77.0.1$i/24 dev wire
    ip link set wire up
    tc qdisc add dev wire root tbf rate $rate burst 256kb latency 100ms"
  echo $holder >"$TWO_HOSTS/host$i"
done

export MPI4PY_MPIABI=$mpi OMP_NUM_THREADS=1
if [[ $mpi == openmpi ]]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_plm_rsh_agent=$here OMPI_MCA_rmaps_base_mapping_policy=node OMPI_MCA_rmaps_base_oversubscribe=1
  mapfile -t forwarded < <(compgen -e | grep -E '^(PATH|PYTHON|LD_|MPI4PY_|OMP_)' | sed 's/^/-x\n/')
  mpiexec.openmpi -H "host0:$ranks,host1:$ranks" -n "$ranks" "${forwarded[@]}" "$@"
else
  export UCX_TLS=tcp,self UCX_NET_DEVICES=wire FI_PROVIDER=tcp FI_TCP_IFACE=wire # whichever MPICH is built with
  mpiexec.mpich -launcher ssh -launcher-exec "$here" -iface switch -hosts host0,host1 -ppn 1 -n "$ranks" "$@"
fi
