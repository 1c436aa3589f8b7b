# The last stage is the image of Pharos: only what runs, as an unprivileged user. The stage `probe` is that of a probe alone.
FROM node:24-bookworm-slim AS sources
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .

FROM sources AS build-probe
RUN node bin/build-probe.mjs

# docker build --target probe --tag pharos-probe .
FROM node:24-bookworm-slim AS probe
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build-probe /app/clients/probe/dist ./
COPY --from=build-probe /app/node_modules/koffi node_modules/koffi
COPY --from=build-probe /app/node_modules/@koromix node_modules/@koromix
RUN install --directory --owner=node --mode=700 /var/lib/pharos-probe
USER node
# What is measured while Pharos cannot be reached.
ENV PHAROS_PROBE_SPOOL=/var/lib/pharos-probe
VOLUME /var/lib/pharos-probe
ENTRYPOINT ["node", "pharos-probe.mjs"]

FROM sources AS build
RUN node bin/build.mjs
# docker build --build-arg COMMIT=$(git rev-parse --short HEAD) . For pharos --version: the repository is not part of the image.
ARG COMMIT
RUN node bin/pack.mjs /packed

FROM node:24-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
# How commands are run in a container of this name: see docs/operate/settings.md.
ENV COMMAND_PREFIX="docker exec pharos node bin/pharos.mjs"
WORKDIR /app
COPY --from=build /packed ./
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000 3010
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "bin/is-live.mjs"]
ENTRYPOINT ["node", "bin/pharos.mjs"]
CMD ["start"]
