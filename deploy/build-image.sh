#!/usr/bin/env bash
# Builds the image, starts it as user node on a read-only root, looks up a code with the key from its log, and stops it. Prints
# size and time. Fails if one of these steps fails, if the server does not exit with 0, if the image is larger than
# docs/deploy.md says, or if its list of packages is missing.
#
#   deploy/build-image.sh [TAG]        TAG is hsapi by default
#
# Uses docker or podman if one of them runs. Otherwise, or with HSAPI_BASE=debootstrap, it uses buildah and makes both base
# images itself, without an image registry: Debian with debootstrap, Node and npm from npm. This needs root and the Debian
# packages buildah and debootstrap. It keeps 3 GB of files in HSAPI_SCRATCH (/tmp/hsapi-image), so that the next build is
# faster.
set -euo pipefail
cd "$(dirname "$0")/.."

tag=${1:-hsapi}
scratch=${HSAPI_SCRATCH:-/tmp/hsapi-image}
port=${HSAPI_TRY_PORT:-18080}
version=$(sed -nE 's/^  "version": "(.*)",/\1/p' package.json)
revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)
# the time of the commit, so that the same commit gives the same label
created=$(git log -1 --format=%cI 2>/dev/null || echo unknown)
arguments=(--build-arg "VERSION=$version" --build-arg "REVISION=$revision" --build-arg "CREATED=$created" -t "$tag")

# the limit that docs/deploy.md states
megabytes_max=300

say() { echo "== $*"; }
check_size() { # check_size BYTES
  local megabytes=$(($1 / 1000000))
  say "image: $megabytes MB"
  [ "$megabytes" -le "$megabytes_max" ] || { echo "larger than $megabytes_max MB"; return 1; }
}
seconds_since() { echo "$((SECONDS - $1)) s"; }

# waits until the server is ready, then looks up a code with the key that the server printed
try() { # try COMMAND-THAT-PRINTS-ITS-LOG
  local began=$SECONDS key answer
  until "$@" 2>&1 | grep -q 'ready on'; do
    [ $((SECONDS - began)) -lt 60 ] || { echo 'not ready after 60 s'; return 1; }
    sleep 0.1
  done
  key=$("$@" 2>&1 | grep -oE 'hs_free_[0-9A-Za-z_]+' | sed -n 1p)
  [ -n "$key" ] || { echo 'the log shows no key'; return 1; }
  answer=$(curl -fsS -m 5 -H "X-Api-Key: $key" "http://127.0.0.1:$port/api/v1/hs-codes/852321") || return 1
  echo "$answer"
  grep -q '"hs_code":"852321"' <<<"$answer" || { echo 'the answer is not the record of 852321'; return 1; }
  say "ready within $(seconds_since "$began"), and answered with the key from its log"
}

with_docker() { # with_docker docker|podman
  local began=$SECONDS id code=0
  "$1" build "${arguments[@]}" .
  say "built in $(seconds_since "$began")"
  check_size "$("$1" image inspect -f '{{.Size}}' "$tag")" || code=1
  "$1" run --rm --entrypoint grep "$tag" -q CycloneDX /app/sbom.cdx.json || { echo 'the list of packages is missing'; code=1; }
  id=$("$1" run -d --read-only --user node --tmpfs /data:uid=1000,gid=1000 -p "127.0.0.1:$port:8080" "$tag")
  try "$1" logs "$id" || code=1
  "$1" exec "$id" hsapi health || code=1
  "$1" stop "$id" >/dev/null
  [ "$("$1" inspect -f '{{.State.ExitCode}}' "$id")" = 0 ] || { echo 'the server did not exit with 0'; code=1; }
  "$1" logs "$id"
  "$1" rm "$id" >/dev/null
  return "$code"
}

# makes both base images from one Debian root; the image of Node also has node and npm in /usr/local
make_bases() {
  local arch root=$scratch/debian node=$scratch/node began=$SECONDS container
  case $(uname -m) in x86_64) arch=x64 ;; aarch64) arch=arm64 ;; *) echo "no Node for $(uname -m) on npm"; exit 1 ;; esac
  if [ ! -e "$root.done" ]; then
    rm -rf "$root"
    debootstrap --variant=minbase trixie "$root" >"$scratch/debootstrap.log"
    # what Debian's slim image leaves out
    rm -rf "$root"/usr/share/{doc,man,info,locale,lintian}/* "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/var/log/*
    touch "$root.done"
  fi
  if [ ! -e "$node.done" ]; then
    rm -rf "$node"
    mkdir -p "$node/usr/local/lib/node_modules/npm" "$node/usr/local/bin"
    (cd "$scratch" && npm pack --silent "node-linux-$arch@24" npm@11 >packed)
    tar -xzf "$scratch/$(sed -n 1p "$scratch/packed")" -C "$node/usr/local" --strip-components=1 package/bin/node
    tar -xzf "$scratch/$(sed -n 2p "$scratch/packed")" -C "$node/usr/local/lib/node_modules/npm" --strip-components=1
    ln -s ../lib/node_modules/npm/bin/npm-cli.js "$node/usr/local/bin/npm"
    ln -s ../lib/node_modules/npm/bin/npx-cli.js "$node/usr/local/bin/npx"
    # behind a proxy with its own certificate authority npm needs that certificate; only the build stage contains it
    [ -z "${NODE_EXTRA_CA_CERTS-}" ] || cp "$NODE_EXTRA_CA_CERTS" "$node/usr/local/extra-ca.pem"
    touch "$node.done"
  fi
  container=$(buildah from scratch)
  buildah add -q "$container" "$root" / >/dev/null
  buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  buildah commit -q --format docker "$container" docker.io/library/debian:trixie-slim >/dev/null
  buildah add -q "$container" "$node" / >/dev/null
  [ ! -e "$node/usr/local/extra-ca.pem" ] || buildah config --env NODE_EXTRA_CA_CERTS=/usr/local/extra-ca.pem "$container"
  buildah commit -q --format docker "$container" docker.io/library/node:24-trixie-slim >/dev/null
  buildah rm "$container" >/dev/null
  say "bases made in $(seconds_since "$began")"
}

# keeps its files in the scratch folder
buildah() { command buildah --root "$scratch/storage" --runroot "$scratch/run" "$@"; }

with_buildah() {
  local began container root pid code=0
  export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
  mkdir -p "$scratch"
  if ! buildah inspect --type image docker.io/library/node:24-trixie-slim >/dev/null 2>&1; then make_bases; fi
  began=$SECONDS
  buildah bud --format docker --pull-never --layers=false "${arguments[@]}" .
  say "built in $(seconds_since "$began")"
  rm -rf "$scratch/oci"
  buildah push -q "$tag" "oci:$scratch/oci:hsapi" >/dev/null
  say "$(du -sm "$scratch/oci" | cut -f 1) MB compressed, as in a registry"

  # like `docker run --read-only --user node`: the root is mounted read-only, and only /data can be written
  container=$(buildah from --pull-never "$tag")
  root=$(buildah mount "$container")
  check_size "$(du -sb "$root" | cut -f 1)" || code=1
  grep -q CycloneDX "$root/app/sbom.cdx.json" || { echo 'the list of packages is missing'; code=1; }
  env -i unshare --mount bash -c '
    mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && mount -t tmpfs -o uid=1000,gid=1000 tmpfs "$0/data" || exit 9
    exec chroot --userspec=node:node "$0" /usr/bin/env PATH=/usr/local/bin:/usr/bin:/bin NODE_ENV=production HSAPI_DATA_DIR=/data \
      HSAPI_PORT="$1" node /app/dist/src/main.js serve' "$root" "$port" >"$scratch/serve.log" 2>&1 &
  pid=$!
  try cat "$scratch/serve.log" || code=1
  chroot --userspec=node:node "$root" /usr/bin/env HSAPI_PORT="$port" PATH=/usr/local/bin:/usr/bin:/bin hsapi health || code=1
  kill -TERM "$pid"
  wait "$pid" || { echo "the server exited with $?"; code=1; }
  cat "$scratch/serve.log"
  buildah rm "$container" >/dev/null
  return "$code"
}

if [ "${HSAPI_BASE-}" != debootstrap ] && docker info >/dev/null 2>&1; then with_docker docker
elif [ "${HSAPI_BASE-}" != debootstrap ] && podman info >/dev/null 2>&1; then with_docker podman
else with_buildah; fi
