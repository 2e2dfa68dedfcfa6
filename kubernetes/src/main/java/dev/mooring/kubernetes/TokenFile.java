// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import io.fabric8.kubernetes.client.OAuthTokenProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.function.Function;

/**
 * A token that another program renews in its file, which is read again when the file has changed: some files, such as a pipe, can be read
 * only once. While the file cannot be read, or has no token, the last one holds. Thread-safe.
 */
final class TokenFile implements OAuthTokenProvider {
    private static final FileTime NEVER = FileTime.fromMillis(Long.MIN_VALUE);

    private final Path file;
    private final Function<String, Optional<String>> reader;
    private FileTime read;
    private String last;

    /** A file that holds a token and nothing else. */
    TokenFile(Path file) {
        this(file, text -> Optional.of(text.strip()), NEVER, "");
    }

    /**
     * Begins with a token.
     *
     * @param reader finds the token in what the file holds
     * @param read when the file that the first token was read from had changed
     */
    TokenFile(Path file, Function<String, Optional<String>> reader, FileTime read, String first) {
        this.file = file;
        this.reader = reader;
        this.read = read;
        this.last = first;
    }

    @Override
    public synchronized String getToken() {
        try {
            FileTime changed = Files.getLastModifiedTime(file);
            if (!changed.equals(read)) {
                reader.apply(Files.readString(file))
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
