#!/bin/bash
# `hsapi` inside the image. A health check comes every few seconds, and a Node started for each takes 90 ms of CPU; bash asks
# over a socket of its own and takes 4. All the rest, TLS and Unix sockets included, is the program's.
if [ "$*" != health ] || [ -n "${HSAPI_SOCKET-}${HSAPI_TLS_CERT-}" ]; then
  exec node /app/dist/src/main.js "$@"
fi

host=${HSAPI_HOST:-127.0.0.1}
port=${HSAPI_PORT:-8080}
case $host in
  0.0.0.0) host=127.0.0.1 ;;
  ::) host=::1 ;;
esac
name=http://$host:$port

if ! { exec 3<>"/dev/tcp/$host/$port"; } 2>/dev/null; then
  echo "$name: no connection"
  exit 1
fi
printf 'GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
# the first brace that closes comes after the status, so that nobody waits for the connection to
read -r -t 2 -n 4096 -d '}' answer <&3
case $answer in
  'HTTP/1.1 200 '*'"status":"ok"'*) echo "$name: ok" ;;
  *) echo "$name: not ok" && exit 1 ;;
esac
