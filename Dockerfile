# An image with te-compile and te-run:
#   docker build -t temlir .
#   docker run --rm -v "$PWD:/work" temlir te-compile model.onnx -o model.so
# For GPUs, with NVIDIA's compiler for the build and its libraries in the image:
#   docker build --build-arg CUDA=1 -t temlir .
#   docker run --rm --gpus all -v "$PWD:/work" temlir te-run bench model.so
FROM debian:12 AS build
ARG CUDA=
COPY . /te-mlir
WORKDIR /te-mlir
RUN scripts/setup
RUN mkdir /libraries \
 && if [ -n "$CUDA" ]; then \
      apt-get install -y --no-install-recommends g++ python3-pip \
      && scripts/setup --cuda \
      && cp build/cuda-packages/nvidia/*/lib/*.so.* /libraries; \
    fi
RUN cmake --preset release -DTE_BUILD_TESTS=OFF \
 && cmake --build --preset release \
 && cpack --config build/CPackConfig.cmake -B /package

FROM debian:12
COPY --from=build /libraries /usr/local/lib/
COPY --from=build /package/te-mlir_*.deb /package/
RUN ldconfig \
 && apt-get update \
 && apt-get install -y --no-install-recommends /package/te-mlir_*.deb \
 && rm -rf /package /var/lib/apt/lists/*
WORKDIR /work
CMD ["te-compile", "--help"]
