// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

/** Where the lines of a stream go. Never blocks; thread-safe. */
public interface LineSink {
    /**
     * Sends a line.
     *
     * @param line with its end; not changed afterwards
     * @return false if the reader has gone, or is too slow
     */
    boolean send(byte[] line);

    /** Whether little enough waits for the reader that more may be shown which is there anyway. */
    boolean hasRoom();

    /** Sets the listener for when there is room; it is called at once if there is, never if the reader has gone. One listener at a time. */
    void whenRoom(Runnable listener);

    /** Ends the stream when everything was sent. */
    void end();

    /** Sets the listener for when the reader has gone or the stream has ended; it is called at once if that is so already. */
    void whenOver(Runnable listener);
}
