// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller.story;

/**
 * One request of a user. In its body {@code ~name} stands for an object of the story, and {@code @name} for the uid of the last claim of
 * that name.
 *
 * @param method POST, PATCH or DELETE
 * @param kind what it is about
 * @param name the object, as the story calls it
 * @param subresource {@code status}, or empty
 * @param body JSON; empty for none
 */
record StoryStep(String method, StoryKind kind, String name, String subresource, String body) {
    static StoryStep create(StoryKind kind, String name, String body) {
        return new StoryStep("POST", kind, name, "", body);
    }

    static StoryStep patch(StoryKind kind, String name, String body) {
        return new StoryStep("PATCH", kind, name, "", body);
    }

    static StoryStep patchStatus(StoryKind kind, String name, String body) {
        return new StoryStep("PATCH", kind, name, "status", body);
    }

    static StoryStep delete(StoryKind kind, String name) {
        return new StoryStep("DELETE", kind, name, "", kind == StoryKind.POD ? "{\"gracePeriodSeconds\":0}" : "");
    }

    @Override
    public String toString() {
        return method + " " + kind.shortName() + "/" + name + (subresource.isEmpty() ? "" : "/" + subresource) + " "
                + body;
    }
}
