// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import io.fabric8.kubernetes.client.OAuthTokenProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A token that another program renews in its file. While the file cannot be read the last one holds. Thread-safe. */
final class TokenFile implements OAuthTokenProvider {
    private final Path file;
    private volatile String last = "";

    TokenFile(Path file) {
        this.file = file;
    }

    @Override
    public String getToken() {
        try {
            String token = Files.readString(file).strip();
            last = token.isEmpty() ? last : token;
        } catch (IOException e) {
            // It is being replaced, or the server will say that the last one is over.
        }
        return last;
    }
}
