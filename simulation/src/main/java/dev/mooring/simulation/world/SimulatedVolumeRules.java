// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.clusterstore.validation.KindRules;
import dev.mooring.clusterstore.validation.Problems;
import dev.mooring.clusterstore.validation.Validation;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;

/**
 * The API's rules of volumes and of classes of attributes, but for one: the simulated drivers are called like their provisioners, {@code
 * mooring.dev/sim} and {@code mooring.dev/sim-disk}, which are no names of CSI drivers.
 */
final class SimulatedVolumeRules implements KindRules {
    private static final String STAND_IN = "sim.mooring.dev";

    private final KindRules standard;
    private final String[] driver;

    private SimulatedVolumeRules(KindRules standard, String... driver) {
        this.standard = standard;
        this.driver = driver;
    }

    static Validation in(Validation validation) {
        return validation
                .with(
                        Kinds.PERSISTENT_VOLUME,
                        new SimulatedVolumeRules(validation.rules(Kinds.PERSISTENT_VOLUME), "spec", "csi", "driver"))
                .with(
                        Kinds.VOLUME_ATTRIBUTES_CLASS,
                        new SimulatedVolumeRules(validation.rules(Kinds.VOLUME_ATTRIBUTES_CLASS), "driverName"));
    }

    @Override
    public void state(Document object, Problems problems) {
        boolean simulated = object.text(driver)
                .filter(name -> name.equals(SimulatedPlugins.SIM) || name.equals(SimulatedPlugins.DISK))
                .isPresent();
        standard.state(simulated ? object.with(STAND_IN, driver) : object, problems);
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
