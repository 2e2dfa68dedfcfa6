// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.codec;

import java.io.Serial;
import org.apiguardian.api.API;

/** Text cannot be read. Says where, and by which rule. The message never quotes values, which may be secret. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CodecException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** See {@link #source()}. */
    private final String source;
    /** See {@link #line()}. */
    private final int line;
    /** See {@link #column()}. */
    private final int column;
    /** See {@link #rule()}. */
    private final String rule;

    CodecException(String source, int line, int column, String rule) {
        super(source + (line > 0 ? ":" + line + ":" + column : "") + ": " + rule);
        this.source = source;
        this.line = line;
        this.column = column;
        this.rule = rule;
    }

    /** Returns what was read, such as a file name; never null. */
    public String source() {
        return source;
    }

    /** Returns the line, from 1; 0 if it is not known. */
    public int line() {
        return line;
    }

    /** Returns the column, from 1; 0 if it is not known. */
    public int column() {
        return column;
    }

    /** Returns the rule that the text breaks; never null. */
    public String rule() {
        return rule;
    }
}
