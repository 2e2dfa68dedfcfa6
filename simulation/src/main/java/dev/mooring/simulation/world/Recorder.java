// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Key;
import dev.mooring.simulation.virtual.WorldObserver;
import dev.mooring.simulation.world.Strikes.Strike;
import dev.mooring.simulation.world.Trace.EventEntry;
import java.util.List;
import java.util.function.Consumer;

/** Takes down what happens to the processes of a world. */
final class Recorder implements WorldObserver {
    private final Trace trace;
    private final List<Consumer<Announcement>> hearers;
    private final Strikes strikes;

    /**
     * Makes one.
     *
     * @param trace where it is taken down
     * @param hearers get the events for people; more may be added later
     * @param strikes where what goes wrong is counted
     */
    Recorder(Trace trace, List<Consumer<Announcement>> hearers, Strikes strikes) {
        this.trace = trace;
        this.hearers = hearers;
        this.strikes = strikes;
    }

    @Override
    public void onEvent(String process, Announcement news) {
        hearers.forEach(hearer -> hearer.accept(news));
        trace.add(new EventEntry(
                news.kind().name(),
                news.object().namespace(),
                news.object().name(),
                news.type(),
                news.reason(),
                news.message()));
    }

    @Override
    public void onInterruption(String process) {
        strikes.count(Strike.INTERRUPTION);
    }

    @Override
    public void onStaleNews(String process) {
        strikes.count(Strike.STALE_NEWS);
    }

    @Override
    public void onLostNews(String process) {
        strikes.count(Strike.LOST_NEWS);
    }

    @Override
    public void onTimer(String process, String controller, Key key) {
        trace.addTimer();
    }

    @Override
    public void onDefect(String process, String controller, Key key, RuntimeException defect) {
        trace.addDefect(process + ": " + controller + " threw at " + key + ": " + defect);
    }
}
