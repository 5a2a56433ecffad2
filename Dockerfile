# Debian 13: the uWebSockets.js binary for Node 24 needs its C library (glibc 2.38 or newer).
FROM node:24-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY deploy/fetch-uws.mjs deploy/
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY src src
COPY build build
COPY dataset dataset
# pruning also drops what deploy/fetch-uws.mjs laid down, so it runs again
RUN npm run build && npm prune --omit=dev --ignore-scripts && node deploy/fetch-uws.mjs

FROM node:24-trixie-slim
ENV NODE_ENV=production HSAPI_HOST=0.0.0.0 HSAPI_DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# import takes the titles of chapters from it
COPY dataset dataset
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=2s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/api/v1/health').then(r=>r.json()).then(b=>process.exit(b.data.status==='ok'?0:1),()=>process.exit(1))"]
# node itself is process 1, so that it receives SIGTERM
CMD ["node", "dist/src/main.js", "serve"]
