// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the page shows.
 *
 * @param deciding the controllers whose caches are shown; empty while this process only stands by
 * @param plugins by which explanations are made
 * @param mounts what this machine mounts, as its records say; may be called by several threads at once
 * @param lifeLines what happened, and whether something has
 * @param reads what the controllers do not keep
 * @param actors those who may change something
 * @param clock for how long things last
 */
public record PageWorld(
        Supplier<Optional<ControllerRuntime>> deciding,
        PluginRegistry plugins,
        Supplier<Collection<RecordEntry>> mounts,
        LifeLines lifeLines,
        PageReads reads,
        PageActors actors,
        InstantSource clock) {}
