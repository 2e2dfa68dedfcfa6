// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/**
 * Opens a TCP connection and closes it again: a missing server is found in a moment instead of after the tool's own pause
 * (semantics/plugins §2.3 step 3). Only a mount over TCP is judged, and only where the port is certain.
 */
final class SocketConnector implements Connector {
    private static final int NFS = 2049;
    private static final int PORT_MAPPER = 111;
    private static final int LIMIT_MILLIS = 5_000;

    @Override
    public Optional<String> whyNotReachable(String server, NfsMountOptions options) {
        String transport = options.setting(NfsMountOptions.TRANSPORT).orElse("tcp");
        if (!transport.startsWith("tcp")) {
            return Optional.empty();
        }
        Optional<String> why = Optional.empty();
        for (int port : ports(options)) {
            why = connect(server, port);
            if (why.isEmpty()) {
                return why;
            }
        }
        return why;
    }

    /** One of these has to take connections. */
    private static List<Integer> ports(NfsMountOptions options) {
        Optional<String> port = options.setting("port");
        if (port.isPresent()) {
            // what is no port is the tool's to refuse
            return port.filter(text -> text.matches("\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}"))
                    .map(Integer::valueOf)
                    .filter(number -> number > 0)
                    .map(List::of)
                    .orElseGet(List::of);
        }
        String version = options.setting(NfsMountOptions.VERSION).orElse("");
        if (version.startsWith("4")) {
            return List.of(NFS);
        }
        return version.startsWith("3") ? List.of(PORT_MAPPER) : List.of(NFS, PORT_MAPPER);
    }

    private static Optional<String> connect(String server, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(server, port), LIMIT_MILLIS);
            return Optional.empty();
        } catch (UnknownHostException unknown) {
            return Optional.of("its name is not known");
        } catch (IOException | IllegalArgumentException e) {
            return Optional.of("port " + port + ": " + e.getMessage());
        }
    }
}
