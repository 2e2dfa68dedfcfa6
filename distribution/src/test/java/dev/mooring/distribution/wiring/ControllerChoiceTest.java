// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mooring.attachdetach.AttachDetach;
import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.binder.scheduling.SchedulingOptions;
import dev.mooring.binder.scheduling.VolumeScheduling;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.duty.BackgroundDuties;
import dev.mooring.clusterstore.duty.DutyOptions;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.plugin.PluginRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which controllers a choice runs. */
class ControllerChoiceTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    *                    | binder, scheduler, statefulset-controller | -
                    -scheduler           | binder, statefulset-controller            | scheduler
                    *,-scheduler,-binder | statefulset-controller                    | scheduler, binder
                    event-expiry         | event-expiry                              | scheduler, binder, namespace
                    event-expiry,-binder | event-expiry                              | scheduler, binder
                    -*                   | -                                         | scheduler, event-expiry
                    -*,binder            | binder                                    | scheduler
                    """)
    void eachTermCounts(String terms, String running, String resting) {
        ControllerChoice choice = ControllerChoice.of(List.of(terms.split(",")));
        names(running).forEach(name -> assertThat(choice.runs(name)).as(name).isTrue());
        names(resting).forEach(name -> assertThat(choice.runs(name)).as(name).isFalse());
    }

    private static List<String> names(String text) {
        return text.equals("-") ? List.of() : List.of(text.split(", "));
    }

    @Test
    void anUnknownNameIsRefusedWithThoseThatThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ControllerChoice.of(List.of("*", "-bindr")))
                .withMessageContaining("there is no controller bindr")
                .withMessageContaining(String.join(", ", ControllerChoice.names()));
    }

    /** A controller that no name can switch off, or a name of none, would be a trap. */
    @Test
    void theNamesAreThoseOfTheControllers() {
        PluginRegistry plugins = new PluginRegistry(List.of());
        List<Controller> all =
                new ArrayList<>(new Binder(BinderOptions.DEFAULT.with(BinderSwitch.SNAPSHOTS), plugins).controllers());
        all.addAll(AttachDetach.controllers(AttachDetachOptions.DEFAULT, plugins));
        all.addAll(BackgroundDuties.all(StoredKinds.withStandard(), DutyOptions.DEFAULT));
        all.add(VolumeScheduling.scheduler(SchedulingOptions.DEFAULT));
        TreeSet<String> names = new TreeSet<>(List.of(
                "storage-capacity",
                "volume-health", // only with plugins that have something to tell
                ControllerChoice.STATEFUL_SETS)); // on a thread of its own
        all.forEach(each -> names.add(each.name()));
        assertThat(ControllerChoice.names()).containsExactlyElementsOf(names);
    }
}
