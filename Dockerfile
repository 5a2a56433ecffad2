# The program is built in one image and runs in a smaller one: Debian and the node binary, without npm and Node's headers.
# Debian 13: the uWebSockets.js binary for Node 24 needs its C library (glibc 2.38 or newer).
FROM node:24-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY deploy/fetch-uws.mjs deploy/
COPY scripts/build-code.mjs scripts/compile.mjs scripts/write-sbom.mjs scripts/
COPY tsconfig.json ./
COPY src src
COPY build build
COPY dataset dataset
COPY docs docs
# Pruning also removes the binary that deploy/fetch-uws.mjs fetched before compiling, so the script runs again. A server needs
# no types, source maps, readme files or binaries for other versions of Node; licences stay.
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund && node deploy/fetch-uws.mjs \
  && node scripts/write-sbom.mjs sbom.cdx.json \
  && find node_modules/@uwsjs -mindepth 1 -maxdepth 1 ! -name "*-$(node -p 'process.versions.node.split(".")[0]')" -exec rm -r {} + \
  && find node_modules dist -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' \
       -o -iname 'readme*' -o -iname 'changelog*' \) -delete \
  && rm -rf node_modules/.bin node_modules/.package-lock.json dist/code-state \
  && find node_modules dist -type d -empty -delete

FROM debian:trixie-slim
ARG VERSION=unknown
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="hsapi" \
  org.opencontainers.image.description="HS code lookup, bilingual search and duty estimates over HTTP, answered from memory" \
  org.opencontainers.image.licenses="MIT AND CC-BY-4.0" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.created="$CREATED" \
  org.opencontainers.image.base.name="docker.io/library/debian:trixie-slim"
# MALLOC_MMAP_THRESHOLD_ makes glibc free the memory of a replaced snapshot at once
ENV NODE_ENV=production HSAPI_HOST=0.0.0.0 HSAPI_DATA_DIR=/data MALLOC_MMAP_THRESHOLD_=1048576
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --chmod=755 deploy/hsapi.sh /usr/local/bin/hsapi
WORKDIR /app
COPY package.json LICENSE ./
COPY --from=build /app/sbom.cdx.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY dataset/LICENSE.md dataset/word-forms.csv dataset/query-words.csv dataset/
# `hsapi --version` fails if a library that Node needs is missing
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin node \
  && install -d -o node -g node /data && hsapi --version
# a number, because Kubernetes cannot verify that a user given by name is not root
USER 1000:1000
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["hsapi", "health"]
# node itself is process 1, so that it receives the signal
CMD ["node", "/app/dist/src/main.js", "serve"]
