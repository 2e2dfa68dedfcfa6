// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.sidecar;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.spi.PluginName;

/**
 * A call that a program of others makes to its own back-end. It does what the call in it does; but none of the rules holds for it that say
 * what our controllers have to write before they make or destroy storage.
 *
 * @param call what is done
 */
public record OutsideCall(Call call) implements Call {
    /** What a call does, from every caller. */
    public static Call deed(Call call) {
        return call instanceof OutsideCall outside ? outside.call : call;
    }

    @Override
    public PluginName plugin() {
        return call.plugin();
    }

    @Override
    public String operation() {
        return call.operation();
    }

    @Override
    public String volume() {
        return call.volume();
    }

    @Override
    public String node() {
        return call.node();
    }

    @Override
    public String occasion() {
        return call.occasion();
    }
}
