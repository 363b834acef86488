"""A proxy on 127.0.0.1 that adds the API key to each request: some judges cannot send a header."""

import asyncio
import contextlib
import threading
from urllib.parse import urlsplit


class Proxy:
    """Forwards raw requests, so that a judge's spelling of a header arrives as it was sent.

    Its own address becomes the gateway's in `Host` and `Origin`; any other stays.
    """

    def __init__(self, url: str, api_key: str) -> None:
        self.gateway, self.api_key = urlsplit(url), api_key
        listening = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._serve(listening)), daemon=True).start()
        if not listening.wait(10):
            raise TimeoutError("the proxy does not start")

    async def _serve(self, listening: threading.Event) -> None:
        server = await asyncio.start_server(self._forward, "127.0.0.1", 0)
        self.address = "127.0.0.1:%d" % server.sockets[0].getsockname()[1]
        self.url = f"http://{self.address}{self.gateway.path}"
        listening.set()
        await server.serve_forever()

    async def _forward(self, judge: asyncio.StreamReader, to_judge: asyncio.StreamWriter) -> None:
        # A judge that has changed its mind closes the connection.
        with contextlib.closing(to_judge), contextlib.suppress(asyncio.IncompleteReadError):
            request, length = await head(judge, f"X-API-Key: {self.api_key}")
            for place, line in enumerate(request):
                if line.lower().startswith(("host:", "origin:")):
                    request[place] = line.replace(self.address, self.gateway.netloc)
            gateway, to_gateway = await asyncio.open_connection(self.gateway.hostname, self.gateway.port)
            to_gateway.write(lines(request) + await judge.readexactly(length))
            response, _ = await head(gateway)
            to_judge.write(lines(response) + await gateway.read())
            to_gateway.close()


async def head(stream: asyncio.StreamReader, *more: str) -> tuple[list[str], int]:
    """The lines of a message before its body, which ends its connection, and the body's length."""
    first, *headers = (await stream.readuntil(b"\r\n\r\n")).decode("latin-1").rstrip("\r\n").split("\r\n")
    length = sum(int(line.split(":")[1]) for line in headers if line.lower().startswith("content-length:"))
    kept = [line for line in headers if not line.lower().startswith("connection:")]
    return [first, *kept, "Connection: close", *more], length


def lines(message: list[str]) -> bytes:
    return "\r\n".join([*message, "", ""]).encode("latin-1")
