// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.spi.host.FileKind;
import java.util.Arrays;
import java.util.Optional;

/** The {@code type} of a hostPath source: what has to be at the path, and what is made if nothing is. */
enum PathType {
    ANYTHING("", Optional.empty(), 0),
    DIRECTORY_OR_CREATE("DirectoryOrCreate", Optional.of(FileKind.DIRECTORY), 0755),
    DIRECTORY("Directory", Optional.of(FileKind.DIRECTORY), 0),
    FILE_OR_CREATE("FileOrCreate", Optional.of(FileKind.FILE), 0644),
    FILE("File", Optional.of(FileKind.FILE), 0),
    SOCKET("Socket", Optional.of(FileKind.SOCKET), 0),
    CHARACTER_DEVICE("CharDevice", Optional.of(FileKind.CHARACTER_DEVICE), 0),
    BLOCK_DEVICE("BlockDevice", Optional.of(FileKind.BLOCK_DEVICE), 0);

    private final String text;
    private final Optional<FileKind> kind;
    private final int createMode;

    PathType(String text, Optional<FileKind> kind, int createMode) {
        this.text = text;
        this.kind = kind;
        this.createMode = createMode;
    }

    static Optional<PathType> of(String text) {
        return Arrays.stream(values()).filter(type -> type.text.equals(text)).findFirst();
    }

    String text() {
        return text;
    }

    /** What has to be there; empty for anything. */
    Optional<FileKind> kind() {
        return kind;
    }

    /** Whether a missing object is made. */
    boolean creates() {
        return createMode != 0;
    }

    /** The exact permission bits of what is made. */
    int createMode() {
        return createMode;
    }
}
