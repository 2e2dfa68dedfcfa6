// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.apiguardian.api.API;

/** Why a file could not be used, for people: what Java itself says is often nothing but the file's name, or a class. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FileFailures {
    private FileFailures() {}

    /**
     * The reason alone, for a message that names the file.
     *
     * @param failure what was caught; never null
     */
    public static String reason(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no such file or directory";
        } else if (failure instanceof AccessDeniedException) {
            return "permission denied";
        } else if (failure instanceof NotDirectoryException) {
            return "it is not a directory";
        } else if (failure instanceof FileAlreadyExistsException) {
            return "something else has that name";
        } else if (failure instanceof CharacterCodingException) {
            return "it must be text in UTF-8";
        }
        String said = failure instanceof FileSystemException told ? told.getReason() : failure.getMessage();
        return said == null || said.isBlank() ? "the system does not say why" : said;
    }

    /**
     * The file and the reason; what is no failure of a file says what it says.
     *
     * @param failure what was caught; never null
     */
    public static String text(IOException failure) {
        return failure instanceof FileSystemException told && told.getFile() != null
                ? told.getFile() + ": " + reason(failure)
                : reason(failure);
    }
}
