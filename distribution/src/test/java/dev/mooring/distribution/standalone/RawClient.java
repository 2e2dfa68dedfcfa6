// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;

/** Talks to a server as its kubeconfig says, one connection a request, so that requests may be as odd as a test wants. */
final class RawClient {
    /** The server saw enough and hung up before it had read the whole body. */
    static final int REFUSED_UNREAD = -1;

    private static final String JSON = "application/json";
    private static final int PATIENCE_MILLIS = 60_000;
    private static final int LEAVING_MILLIS = 10_000;

    private final ServerKubeconfig config;

    RawClient(Path kubeconfig) throws IOException, GeneralSecurityException {
        config = ServerKubeconfig.read(kubeconfig);
    }

    /**
     * An answer.
     *
     * @param status 0 if the connection ended without one, or {@link #REFUSED_UNREAD}
     */
    record Reply(int status, String text) {}

    Reply get(String path) throws IOException {
        return request("GET", path, JSON, "");
    }

    /** Sends JSON, in which apostrophes may stand for quotation marks. */
    Reply post(String path, String body) throws IOException {
        return request("POST", path, JSON, body.replace('\'', '"'));
    }

    Reply request(String method, String path, String type, String body) throws IOException {
        return send(
                method, path, "Authorization: Bearer " + config.token() + "\r\nContent-Type: " + type + "\r\n", body);
    }

    /** Asks for an answer of a type. */
    Reply accepting(String type, String path) throws IOException {
        return send("GET", path, "Authorization: Bearer " + config.token() + "\r\nAccept: " + type + "\r\n", "");
    }

    Reply withoutToken(String method, String path) throws IOException {
        return send(method, path, "", "");
    }

    /** A connection that has asked something, was answered, and stays open without a word. */
    AutoCloseable silent() throws IOException {
        TlsConnection connection = new TlsConnection(config, PATIENCE_MILLIS);
        connection.out().write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        if (connection.in().read() != 'H') {
            throw new IOException("no answer");
        }
        return connection;
    }

    /** Begins a watch and goes away without having heard anything; answers whether the server noticed. */
    boolean leavesWatch(String path) throws IOException {
        try (TlsConnection connection = new TlsConnection(config, LEAVING_MILLIS)) {
            connection.out().write(LoadWatch.request(config, path));
            connection.out().flush();
            int read = 0;
            while (read != '{') {
                read = connection.in().read();
                if (read < 0) {
                    throw new IOException("no watch");
                }
            }
            connection.leave();
            connection.in().readAllBytes();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    Reply send(String method, String path, String headers, String body) throws IOException {
        try (TlsConnection connection = new TlsConnection(config, PATIENCE_MILLIS)) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            String head = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers
                    + "Content-Length: " + bytes.length + "\r\n\r\n";
            OutputStream out = connection.out();
            try {
                out.write(head.getBytes(StandardCharsets.UTF_8));
                out.write(bytes);
                out.flush();
            } catch (SocketException e) {
                return new Reply(REFUSED_UNREAD, "");
            }
            String text = new String(connection.in().readAllBytes(), StandardCharsets.UTF_8);
            return new Reply(text.startsWith("HTTP/1.1 ") ? Integer.parseInt(text.substring(9, 12)) : 0, text);
        }
    }
}
