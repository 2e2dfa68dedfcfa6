// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.TimeSource;
import java.time.Duration;
import org.slf4j.Logger;

/**
 * Logs what controllers throw and where, without the texts of it, which may quote a secret. A decision that throws is made again after a
 * back-off; a controller that throws when it observes a change, or ranks a key, may do so at each of them, so not more than
 * {@value #MOST} are logged in a minute. Confined to the decider's thread.
 */
final class DefectLog implements LoopListener {
    static final int MOST = 20;
    static final Duration MINUTE = Duration.ofMinutes(1);

    private final Logger log;
    private final TimeSource time;
    private long minuteBegan;
    private int logged;
    private long leftOut;

    /**
     * Makes one that has heard nothing yet.
     *
     * @param log where it goes
     * @param time knows when a minute is over
     */
    DefectLog(Logger log, TimeSource time) {
        this.log = log;
        this.time = time;
    }

    @Override
    public void onDefect(String controller, Key key, RuntimeException defect) {
        long now = time.now().monotonicNanos();
        if (logged == 0 || now - minuteBegan >= MINUTE.toNanos()) {
            minuteBegan = now;
            logged = 0;
        }
        if (logged == MOST) {
            leftOut++;
            return;
        }
        logged++;
        if (leftOut > 0) {
            log.error("controllers threw {} times more than was logged", leftOut);
            leftOut = 0;
        }
        log.error("{} threw at {}: a defect", controller, key, TextlessTrace.of(defect));
    }
}
