# One image for both processes; docker-compose.yml says which one a container runs.
FROM python:3.12-slim

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1

RUN groupadd --gid 10001 innkeeper \
    && useradd --uid 10001 --gid innkeeper --no-create-home --shell /usr/sbin/nologin innkeeper \
    && install -d -o innkeeper -g innkeeper -m 0700 /data

WORKDIR /app
COPY requirements.lock ./
RUN pip install --require-hashes -r requirements.lock
COPY main.py schema.sql LICENSE ./
COPY launch/ launch/
COPY bot/ bot/
COPY web/ web/
COPY memory/ memory/
COPY ai_clients/ ai_clients/
COPY local_guild/ local_guild/

ENV DATA_DIR=/data HOST=0.0.0.0 PORT=8080
USER innkeeper
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["python", "main.py"]
CMD ["web"]
