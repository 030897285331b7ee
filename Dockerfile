# One image for both processes; docker-compose.yml says which one a container runs.
# The digest is that of the tag for all platforms; .github/dependabot.yml renews it.
ARG PYTHON=python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b

# Packages are installed apart: wordllama has no wheel for ARM, and the compiler that it needs stays behind.
FROM ${PYTHON} AS packages
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
COPY requirements.lock /
RUN python -m venv /venv && /venv/bin/pip install --require-hashes -r /requirements.lock

FROM ${PYTHON}
LABEL org.opencontainers.image.title="Innkeeper" \
      org.opencontainers.image.description="A Discord bot that remembers a guild" \
      org.opencontainers.image.licenses="MIT"
RUN groupadd --gid 10001 innkeeper \
    && useradd --uid 10001 --gid innkeeper --no-create-home --shell /usr/sbin/nologin innkeeper \
    && install -d -o innkeeper -g innkeeper -m 0700 /data

WORKDIR /app
COPY --from=packages /venv /venv
COPY main.py schema.sql LICENSE ./
COPY launch/ launch/
COPY bot/ bot/
COPY web/ web/
COPY memory/ memory/
COPY ai_clients/ ai_clients/
COPY local_guild/ local_guild/

ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    DATA_DIR=/data HOST=0.0.0.0 PORT=8080
USER 10001:10001
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# Of the web process, which this image starts by default; docker-compose.yml has those of the bots.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
    CMD ["python", "main.py", "alive", "--process", "web"]
ENTRYPOINT ["python", "main.py"]
CMD ["web"]
