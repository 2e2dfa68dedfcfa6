// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * Where a driver listens: a unix socket. Immutable.
 *
 * @param socket absolute path of the socket; at most {@value #MAX_BYTES} bytes long
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CsiEndpoint(Path socket) {
    /** The kernel's limit for the path of a unix socket, in bytes. */
    public static final int MAX_BYTES = 107;

    private static final String SCHEME = "unix:";
    private static final int TYPE_MASK = 0170000;
    private static final int TYPE_SOCKET = 0140000;

    /**
     * Checks the path.
     *
     * @throws IllegalArgumentException if the path is relative, names no file or is too long; the message names it
     */
    public CsiEndpoint {
        if (!socket.isAbsolute()) {
            throw new IllegalArgumentException("endpoint " + socket + ": the path of the socket must be absolute");
        }
        if (socket.getFileName() == null) {
            throw new IllegalArgumentException("endpoint " + socket + ": the path names no socket");
        }
        int bytes = length(socket);
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException("endpoint " + socket + ": the path of a unix socket may have at most "
                    + MAX_BYTES + " bytes, and this one has " + bytes);
        }
    }

    /**
     * Reads an endpoint as drivers and side-cars take it.
     *
     * @param text {@code unix:///path}, {@code unix:/path} or {@code /path}
     * @throws IllegalArgumentException if it is something else, or the path breaks a rule; the message names the endpoint and the rule
     */
    public static CsiEndpoint parse(String text) {
        String path = text;
        if (text.startsWith(SCHEME)) {
            path = text.substring(SCHEME.length());
            if (path.startsWith("//")) {
                path = path.substring(2);
            }
        } else if (text.contains("://")) {
            throw new IllegalArgumentException(
                    "endpoint " + text + ": only unix sockets can be used; write unix:///path/of/the.sock");
        }
        if (!path.startsWith("/") || path.endsWith("/")) {
            throw new IllegalArgumentException(
                    "endpoint " + text + ": it needs the absolute path of a socket, as in unix:///path/of/the.sock");
        }
        try {
            return new CsiEndpoint(Path.of(path));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("endpoint " + text.replace("\0", "\\0") + ": " + e.getReason(), e);
        }
    }

    /**
     * Whether a file is a socket; a link to one is none.
     *
     * @throws java.nio.file.NoSuchFileException if there is no such file
     * @throws IOException if it cannot be looked at
     */
    public static boolean isSocket(Path file) throws IOException {
        int mode = (Integer) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        return (mode & TYPE_MASK) == TYPE_SOCKET;
    }

    static int length(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return SCHEME + "//" + socket;
    }
}
