// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.Announcement;
import org.apiguardian.api.API;

/** Where announcements for people go. Called by threads that may block; thread-safe; never throws. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface EventSink {
    /** Drops everything. */
    EventSink NONE = announcement -> {};

    /** Announces something to people. */
    void announce(Announcement announcement);
}
