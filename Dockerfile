# The first stage builds. The second contains only what runs, as an unprivileged user.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN node bin/build.mjs
RUN node bin/pack.mjs /packed

FROM node:22-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
WORKDIR /app
COPY --from=build /packed ./
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000 3010
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "bin/is-live.mjs", "3000"]
ENTRYPOINT ["node", "bin/pharos.mjs"]
CMD ["start"]
