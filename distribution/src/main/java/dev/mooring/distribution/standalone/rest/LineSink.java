// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

/** Where the lines of a stream go. Never blocks; thread-safe. */
interface LineSink {
    /**
     * Sends a line.
     *
     * @param line with its end; not changed afterwards by anybody
     * @return false if nobody reads it any more, or the reader is too slow
     */
    boolean send(byte[] line);

    /** Ends the stream when everything was sent. */
    void end();

    /** Says whom to tell when nobody reads any more, or the stream ended; at once if that is so already. */
    void whenOver(Runnable listener);
}
