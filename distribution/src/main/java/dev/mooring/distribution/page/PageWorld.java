// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.ObjectKey;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * What the page shows.
 *
 * @param deciding the controllers whose caches are shown; empty while this process only stands by
 * @param plugins by which explanations are made
 * @param mounts what this machine mounts, as its records say; may be called by several threads at once
 * @param lifeLines what happened, and whether something has
 * @param events those of an object that others tell, as many as are wanted at most, with the kind's name and the object's; may block
 * @param actors those who may change something
 * @param clock for how long things last
 */
public record PageWorld(
        Supplier<Optional<ControllerRuntime>> deciding,
        PluginRegistry plugins,
        Supplier<Collection<RecordEntry>> mounts,
        LifeLines lifeLines,
        BiFunction<String, ObjectKey, List<Event>> events,
        PageActors actors,
        InstantSource clock) {}
