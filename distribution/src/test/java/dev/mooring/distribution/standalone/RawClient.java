// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** Talks to a server as its kubeconfig says, one connection a request, so that requests may be as odd as a test wants. */
final class RawClient {
    /** The server saw enough and hung up before it had read the whole body. */
    static final int REFUSED_UNREAD = -1;

    private final SSLContext tls;
    private final int port;
    private final String token;

    RawClient(Path kubeconfig) throws Exception {
        Kubeconfig config = Kubeconfig.read(kubeconfig);
        port = config.port();
        token = config.token();
        tls = config.tls();
    }

    /**
     * An answer.
     *
     * @param status 0 if the connection ended without one, or {@link #REFUSED_UNREAD}
     */
    record Reply(int status, String text) {}

    Reply request(String method, String path, String type, String body) throws IOException {
        return send(method, path, "Authorization: Bearer " + token + "\r\nContent-Type: " + type + "\r\n", body);
    }

    Reply withoutToken(String method, String path) throws IOException {
        return send(method, path, "", "");
    }

    /** A connection that has asked something, was answered, and stays open without a word. */
    AutoCloseable silent() throws IOException {
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port);
        socket.setSoTimeout(60_000);
        socket.getOutputStream()
                .write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        if (socket.getInputStream().read() != 'H') {
            throw new IOException("no answer");
        }
        return socket;
    }

    Reply send(String method, String path, String headers, String body) throws IOException {
        try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.setSoTimeout(60_000);
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            String head = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers
                    + "Content-Length: " + bytes.length + "\r\n\r\n";
            OutputStream out = socket.getOutputStream();
            try {
                out.write(head.getBytes(StandardCharsets.UTF_8));
                out.write(bytes);
                out.flush();
            } catch (SocketException e) {
                return new Reply(REFUSED_UNREAD, "");
            }
            InputStream in = socket.getInputStream();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new Reply(text.startsWith("HTTP/1.1 ") ? Integer.parseInt(text.substring(9, 12)) : 0, text);
        }
    }
}
