// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.logging;

/** What a line of the log looks like. */
public enum LogFormat {
    /** Time, level, who, message. */
    TEXT,
    /** One JSON object per line, as logback's own encoder writes it. */
    JSON
}
