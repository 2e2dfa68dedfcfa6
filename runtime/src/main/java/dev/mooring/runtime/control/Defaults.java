// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.time.Duration;
import org.apiguardian.api.API;

/** The default numbers. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Defaults {
    /** How long attach, detach, stage, unstage, publish and unpublish may take. */
    public static final Duration MOUNT_TIME_LIMIT = Duration.ofMinutes(2);

    /** How long provision, delete, recycle and expand may take. */
    public static final Duration RECLAIM_TIME_LIMIT = Duration.ofMinutes(5);

    /** How long a request to the store may take. */
    public static final Duration STORE_TIME_LIMIT = Duration.ofSeconds(30);

    /** How long an object waits before an event says why. */
    public static final Duration LONG_WAIT = Duration.ofSeconds(30);

    /** The first back-off. */
    public static final Duration BACKOFF_FIRST = Duration.ofMillis(500);

    /** The longest back-off. */
    public static final Duration BACKOFF_LONGEST = Duration.ofMinutes(2);

    /** After this time a write that was not allowed is tried again: rights change without a change of the object. */
    public static final Duration RIGHTS_MAY_HAVE_CHANGED = Duration.ofMinutes(10);

    /** Requests to the store in flight at once. */
    public static final int STORE_REQUESTS_IN_FLIGHT = 16;

    /** How long closing waits for what is in flight. */
    public static final Duration CLOSE_TIME_LIMIT = Duration.ofSeconds(10);

    private Defaults() {}
}
