# Vidmar in a container: the page on port 8000, or any command.
#
#   docker build -t vidmar .
#   docker run --rm -it -p 127.0.0.1:8000:8000 -v "$PWD:/lab" vidmar          # the page; open the address that it prints
#   docker run --rm -it -v "$PWD:/lab" vidmar tune run --scale 0.05           # any command, in the current folder
FROM node:24-slim AS page
WORKDIR /src/page
COPY page/package.json page/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY page ./
COPY docs ../docs
RUN npm run --silent build

FROM rust:1.95-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Cargo.toml Cargo.lock rust-toolchain.toml ./
COPY .cargo .cargo
COPY crates crates
COPY xtask xtask
COPY --from=page /src/page/dist page/dist
RUN cargo build --locked --profile dist --package vidmar

FROM debian:stable-slim
COPY --from=build /src/target/dist/vidmar /usr/local/bin/vidmar
COPY LICENSE /usr/share/doc/vidmar/LICENSE
RUN useradd --create-home vidmar && mkdir /lab && chown vidmar /lab
USER vidmar
WORKDIR /lab
EXPOSE 8000
ENTRYPOINT ["vidmar"]
CMD ["web", "--no-open", "--host", "0.0.0.0", "--port", "8000"]
