// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is found of wants when some have gone. */
class DesiredAttachmentsTest {
    private static DesiredAttachment want(String pod, String node, String reportedName) {
        Attachable disk = AttachDetachObjects.attachable("disk");
        Attachable named =
                new Attachable(disk.id(), disk.owner(), disk.handle(), reportedName, disk.sharing(), disk.spec());
        return new DesiredAttachment(
                disk.attachmentTo(node),
                node,
                ObjectKey.of("default", pod),
                "uid-of-" + pod,
                "data",
                named,
                "disk",
                false,
                false,
                false);
    }

    @Test
    void aNameIsForgottenWithTheLastWhoUsesIt() {
        DesiredAttachments wants = new DesiredAttachments(new AttachmentCounts());
        DesiredAttachment first = want("a", "n1", "one");
        DesiredAttachment second = want("b", "n1", "two");
        wants.update(List.of(), List.of(first, second));
        wants.update(List.of(first), List.of());
        assertThat(wants.firstOfReportedName("one")).isEmpty();
        assertThat(wants.firstOfReportedName("two")).contains(second);
        wants.update(List.of(second), List.of());
        assertThat(wants.firstOfReportedName("two")).isEmpty();
    }

    @Test
    void aNameThatHasGoneFromOneNodeDoesNotHideAnother() {
        DesiredAttachments wants = new DesiredAttachments(new AttachmentCounts());
        for (String node : List.of("n1", "n2")) {
            String other = node.equals("n1") ? "n2" : "n1";
            DesiredAttachment gone = want("a", node, "one");
            DesiredAttachment last = want("b", node, "two");
            DesiredAttachment there = want("c", other, "one");
            wants.update(List.of(), List.of(gone, last, there));
            wants.update(List.of(gone), List.of());
            wants.update(List.of(last), List.of());
            assertThat(wants.firstOfReportedName("one")).contains(there);
            wants.update(List.of(there), List.of());
        }
    }
}
