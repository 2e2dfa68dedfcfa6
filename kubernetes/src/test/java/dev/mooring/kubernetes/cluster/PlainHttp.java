// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** As much of HTTP/1.1 as servers of tests need that misbehave where a real one would not. */
public final class PlainHttp {
    private PlainHttp() {}

    /** The head of the next message, with the empty line behind it; empty if the connection ends before. */
    public static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int next = in.read(); next >= 0; next = in.read()) {
            head.append((char) next);
            if (next == '\n'
                    && head.length() > 3
                    && head.substring(head.length() - 4).equals("\r\n\r\n")) {
                return head.toString();
            }
        }
        return "";
    }

    /** How long the body behind a head is, in bytes. */
    public static int length(String head) {
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElse(0);
    }

    /**
     * Answers.
     *
     * @param headers each with its line end; the length is added
     */
    public static void write(OutputStream out, int code, String headers, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + code + " X\r\n" + headers + "Content-Length: " + bytes.length + "\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.UTF_8));
        out.write(bytes);
        out.flush();
    }
}
