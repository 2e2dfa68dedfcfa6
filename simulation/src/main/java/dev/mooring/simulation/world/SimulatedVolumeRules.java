// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.runtime.store.validation.KindRules;
import dev.mooring.runtime.store.validation.Problems;
import dev.mooring.runtime.store.validation.Validation;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;

/**
 * The API's rules of volumes, but for one: the simulated driver is called like its provisioner, {@code mooring.dev/sim}, which is no name
 * of a CSI driver.
 */
final class SimulatedVolumeRules implements KindRules {
    private static final String STAND_IN = "sim.mooring.dev";

    private final KindRules standard;

    private SimulatedVolumeRules(KindRules standard) {
        this.standard = standard;
    }

    static Validation in(Validation validation) {
        return validation.with(
                Kinds.PERSISTENT_VOLUME, new SimulatedVolumeRules(validation.rules(Kinds.PERSISTENT_VOLUME)));
    }

    @Override
    public void state(Document object, Problems problems) {
        boolean simulated = object.text("spec", "csi", "driver")
                .filter(SimulatedPlugins.SIM::equals)
                .isPresent();
        standard.state(simulated ? object.with(STAND_IN, "spec", "csi", "driver") : object, problems);
    }

    @Override
    public void change(Document before, Document after, Problems problems) {
        standard.change(before, after, problems);
    }

    @Override
    public void statusChange(Document before, Document after, Problems problems) {
        standard.statusChange(before, after, problems);
    }
}
