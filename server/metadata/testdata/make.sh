#!/bin/bash
# Makes the samples in this folder with Apache Kafka itself: formats, starts, changes and stops a combined node, once
# with dynamic and once with static voters, and keeps the small files of the metadata directory.
# Usage: make.sh LIBS (the folder with the reference's jars). Takes about two minutes.
set -e
libs=$(realpath "$1"); here=$(cd "$(dirname "$0")" && pwd); tmp=$(mktemp -d)
java=(java -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$libs/*")
trap 'kill $(cat $tmp/server.pid 2>/dev/null) 2>/dev/null; tail -n 15 $tmp/server.out $tmp/steps.txt; rm -rf $tmp' EXIT
keep() {  # keep NAME: copies what the metadata part of the directory holds
  local to="$here/$1"; rm -rf "$to"; mkdir -p "$to/__cluster_metadata-0"
  (cd "$tmp/data"; for f in meta.properties .kafka_cleanshutdown bootstrap.checkpoint; do if [ -f $f ]; then cp $f "$to"; fi; done; ls -la . >"$tmp/$1.ls"
   cd __cluster_metadata-0 && ls -la >>"$tmp/$1.ls"; cp *.log *.checkpoint quorum-state leader-epoch-checkpoint "$to/__cluster_metadata-0" 2>/dev/null || true)
  cp "$tmp/$1.ls" "$here/$1/listing.txt"
  for f in "$to"/__cluster_metadata-0/*.log "$to"/__cluster_metadata-0/*.checkpoint; do
    if [ -f "$f" ]; then "${java[@]}" org.apache.kafka.tools.DumpLogSegments --cluster-metadata-decoder --files "$f" 2>/dev/null | sed "s#$to/##" >"$f.txt"; fi
  done
}
for quorum in dynamic static; do
  rm -rf $tmp/data
  { echo "process.roles=broker,controller
node.id=1
listeners=PLAINTEXT://127.0.0.1:25192,CONTROLLER://127.0.0.1:25193
advertised.listeners=PLAINTEXT://127.0.0.1:25192
controller.listener.names=CONTROLLER
offsets.topic.replication.factor=1
log.dirs=$tmp/data"
    if [ $quorum = static ]; then echo controller.quorum.voters=1@127.0.0.1:25193; else echo controller.quorum.bootstrap.servers=127.0.0.1:25193; fi
  } >$tmp/server.properties
  flag=; if [ $quorum = dynamic ]; then flag=--standalone; fi
  "${java[@]}" kafka.tools.StorageTool format -t MkU3OEVBNTcwNTJENDM2Qk -c $tmp/server.properties $flag 2>/dev/null
  keep formatted-$quorum
  for run in 1 2; do
    "${java[@]}" kafka.Kafka $tmp/server.properties >$tmp/server.out 2>&1 & echo $! >$tmp/server.pid
    for i in $(seq 100); do sleep 0.3; (exec 3<>/dev/tcp/127.0.0.1/25192) 2>/dev/null && break; done; sleep 3
    if [ $run = 1 ]; then "${java[@]}" "$here/MakeSteps.java" 127.0.0.1:25192 >$tmp/steps.txt 2>&1; fi
    if [ $quorum = static ] && [ $run = 2 ]; then break; fi
    if [ $run = 2 ]; then kill -9 $(cat $tmp/server.pid); wait $(cat $tmp/server.pid) || true; keep killed-$quorum
    else kill $(cat $tmp/server.pid); wait $(cat $tmp/server.pid) || true; keep stopped-$quorum; sed "s#$tmp#DATA#g" $tmp/steps.txt >"$here/stopped-$quorum/said.txt"; fi
  done
  kill $(cat $tmp/server.pid) 2>/dev/null || true
  wait || true
done
