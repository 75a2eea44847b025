# The tool `realm` in an image of its own:
#
#   docker build --tag realm .
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/data" realm info default.realm
FROM swift:6.3-bookworm AS build
RUN apt-get update \
  && apt-get install --yes --no-install-recommends make libxxhash-dev libintelrdfpmath-dev libssl-dev libsqlite3-dev libedit-dev libmicrohttpd-dev libpq-dev \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN make install PREFIX=/opt/realm

FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends libssl3 libsqlite3-0 libedit2 libmicrohttpd12 libpq5 \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/realm /usr/local
WORKDIR /data
ENTRYPOINT ["realm"]
