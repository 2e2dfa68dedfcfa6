// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.driver;

import dev.mooring.storage.spi.Outcome;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The drivers that can be called, by name. They come and go while volumes of them are mounted: a call for a driver that is not here is
 * deferred, never failed (kubernetes#72500, #120268). Thread-safe.
 */
public final class Drivers implements AutoCloseable {
    private final ConcurrentMap<String, Driver> byName = new ConcurrentHashMap<>();

    /** Makes an empty one. */
    public Drivers() {}

    /**
     * Takes in a driver. One that has the same name is closed.
     *
     * @return whether there was none of the name
     */
    public boolean put(Driver driver) {
        Optional<Driver> former = Optional.ofNullable(byName.put(driver.name(), driver));
        former.filter(other -> other != driver).ifPresent(Driver::close);
        return former.isEmpty();
    }

    /** Lets a driver go, if it still is the one of its name. */
    public void remove(Driver driver) {
        if (byName.remove(driver.name(), driver)) {
            driver.close();
        }
    }

    /** The driver of a name, if it is here. */
    public Optional<Driver> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The driver of a name; deferred if it is not here now. */
    public Outcome<Driver> find(String name) {
        return named(name)
                .map(Outcome::done)
                .orElseGet(
                        () -> Outcome.deferred(
                                "driver name " + name
                                        + " not found in the list of registered CSI drivers; the volume waits until the driver registers"));
    }

    /** The names of all that are here, sorted. */
    public Set<String> names() {
        return new TreeSet<>(byName.keySet());
    }

    @Override
    public void close() {
        byName.values().forEach(Driver::close);
        byName.clear();
    }
}
