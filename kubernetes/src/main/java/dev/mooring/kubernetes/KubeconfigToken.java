// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import io.fabric8.kubernetes.client.OAuthTokenProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/** The token of a kubeconfig, which is read again when the file has changed. What cannot be read leaves the last one. Thread-safe. */
final class KubeconfigToken implements OAuthTokenProvider {
    private final Path file;
    private FileTime read;
    private String last;

    /**
     * Begins with a token.
     *
     * @param read when the file that it was read from had changed
     */
    KubeconfigToken(Path file, FileTime read, String first) {
        this.file = file;
        this.read = read;
        this.last = first;
    }

    @Override
    public synchronized String getToken() {
        try {
            FileTime changed = Files.getLastModifiedTime(file);
            if (!changed.equals(read)) {
                PlainKubeconfig.read(Files.readString(file))
                        .map(PlainKubeconfig::token)
                        .filter(token -> !token.isEmpty())
                        .ifPresent(token -> last = token);
                read = changed;
            }
        } catch (IOException e) {
            // It is being replaced, or the server will say that the last one is over.
        }
        return last;
    }
}
